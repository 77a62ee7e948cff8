// Lists pictures and the charts that the page shows, and saves them: all of it in the browser.
const PLOT = ".js-plotly-plot"
const LAYERS = "svg.main-svg"
const SCALE = 2

const shown = element => element.getClientRects().length > 0
const nameOf = (element, number) => {
  const said = element.closest("[aria-label]")?.getAttribute("aria-label")
    || element.querySelector("[aria-label]")?.getAttribute("aria-label")
    || element.querySelector(".gtitle")?.textContent
  // The words in place of a picture begin with what it is; what is to be seen follows.
  return said?.split(/[.:](?:\s|$)/)[0] || `Chart ${number}`
}

// What a style sheet says of a shape is written into it, for a file has no style sheet.
const WRITTEN = ["fill", "fill-opacity", "stroke", "stroke-width", "stroke-dasharray", "opacity",
  "font-family", "font-size", "font-weight", "text-anchor", "dominant-baseline", "visibility", "display"]
const dress = (from, to) => {
  const style = getComputedStyle(from)
  if (style.display === "none") return to.remove()
  for (const name of WRITTEN) to.style.setProperty(name, style.getPropertyValue(name))
  const pairs = [...from.children].map((child, place) => [child, to.children[place]])
  for (const [child, copy] of pairs) if (!child.closest("defs, clipPath")) dress(child, copy)
}
const backdrop = element => {
  for (let at = element; at; at = at.parentElement) {
    const colour = getComputedStyle(at).backgroundColor
    if (colour && !/^rgba\(.*, 0\)$|^transparent$/.test(colour)) return colour
  }
  return "white"
}

const svgOf = chart => {
  const layers = [...chart.querySelectorAll(LAYERS)]
  const box = layers[0].getBoundingClientRect()
  const space = "http://www.w3.org/2000/svg"
  const root = document.createElementNS(space, "svg")
  const set = (element, values) => Object.entries(values).forEach(([name, value]) => element.setAttribute(name, value))
  set(root, { width: box.width, height: box.height, viewBox: `0 0 ${box.width} ${box.height}` })
  const ground = document.createElementNS(space, "rect")
  set(ground, { width: box.width, height: box.height, fill: backdrop(chart) })
  root.append(ground)
  for (const layer of layers) {
    const copy = layer.cloneNode(true)
    dress(layer, copy)
    copy.querySelectorAll(".hoverlayer, .zoomlayer, .modebar-container").forEach(found => found.remove())
    set(copy, { x: 0, y: 0, width: box.width, height: box.height })
    root.append(copy)
  }
  // A reference into the page becomes one into the file.
  return new XMLSerializer().serializeToString(root).replace(/url\((?:"|&quot;|')?[^#)]*#([^"')&]+)(?:"|&quot;|')?\)/g, "url(#$1)")
}

const fileName = (page, chart, kind) =>
  `${page} ${chart}`.replace(/[^\p{L}\p{N}_.-]+/gu, "-").replace(/^[-.]+|[-.]+$/g, "").slice(0, 100) + `.${kind}`
const save = (blob, name) => {
  const anchor = document.createElement("a")
  anchor.href = URL.createObjectURL(blob)
  anchor.download = name
  anchor.click()
  setTimeout(() => URL.revokeObjectURL(anchor.href), 60_000)
}
const pngOf = async text => {
  const picture = new Image()
  const address = URL.createObjectURL(new Blob([text], { type: "image/svg+xml" }))
  picture.src = address
  await picture.decode()
  const canvas = document.createElement("canvas")
  canvas.width = picture.naturalWidth * SCALE
  canvas.height = picture.naturalHeight * SCALE
  canvas.getContext("2d").drawImage(picture, 0, 0, canvas.width, canvas.height)
  URL.revokeObjectURL(address)
  return new Promise(done => canvas.toBlob(done, "image/png"))
}

export default function ({ data, parentElement }) {
  const root = parentElement.querySelector(".share")
  const element = (tag, css, text) => Object.assign(document.createElement(tag), { className: css, textContent: text })
  const button = (kind, drawn, name) => {
    const made = element("button", "", kind.toUpperCase())
    made.type = "button"
    made.setAttribute("aria-label", `Save as ${kind.toUpperCase()}: ${name}`)
    made.onclick = async () => {
      const text = drawn()
      const blob = kind === "png" ? await pngOf(text) : new Blob([text], { type: "image/svg+xml" })
      save(blob, fileName(data.name, name, kind))
    }
    return made
  }
  const row = (name, drawn) => {
    const made = element("div", "row", "")
    const label = element("span", "name", name)
    label.title = name
    made.append(label, button("png", drawn, name), button("svg", drawn, name))
    return made
  }
  let listed = null
  const list = () => {
    const charts = [...document.querySelectorAll(PLOT)].filter(shown)
    if (listed && listed.length === charts.length && charts.every((chart, place) => chart === listed[place])) return
    listed = charts
    root.replaceChildren(
      ...data.pictures.map(picture => row(picture.name, () => picture.svg)),
      ...charts.map((chart, place) => row(nameOf(chart, place + 1), () => svgOf(chart))),
    )
    if (!root.children.length) root.append(element("p", "note", data.none))
  }
  list()
  // Charts are drawn a moment after the rest of the page.
  const timer = setInterval(list, 1000)
  return () => clearInterval(timer)
}
