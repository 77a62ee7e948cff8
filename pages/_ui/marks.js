// Panels of small charts and tables. Every text goes in through textContent: it can never be markup.
export default function ({ data, parentElement, setTriggerValue }) {
  const root = parentElement.querySelector(".marks")
  const held = root.getRootNode().activeElement?.dataset?.act
  const open = new Set([...root.querySelectorAll("details[open]")].map(d => d.dataset.at))
  const scrolled = [...root.querySelectorAll(".scrolls")].map(d => d.scrollTop)
  const make = (tag, css, text) => {
    const made = document.createElement(tag)
    if (css) made.className = css
    if (text !== undefined) made.textContent = text
    return made
  }
  const classes = (...names) => names.filter(Boolean).join(" ")
  const percent = share => `${100 * Math.min(1, Math.max(0, share))}%`
  const act = (made, { act, on, title }, name) => {
    if (title) made.title = title
    if (!act) return made
    made.dataset.act = act
    made.type = "button"
    if (on) made.setAttribute("aria-pressed", "true")
    if (name) made.setAttribute("aria-label", name)
    made.onclick = event => {
      event.stopPropagation()
      setTriggerValue("act", act)
    }
    return made
  }
  const bit = item => {
    const css = classes("bit", item.tone && `t-${item.tone}`, item.strong && "strong", item.chip && "chip", item.on && "on")
    const made = make(item.act ? "button" : "span", css, item.text)
    if (item.goes) made.append(make("span", "cross", "✕"))
    return act(made, item, item.goes ? `Remove filter ${item.text}` : "")
  }
  const line = item => {
    const made = make("div", classes("line", item.size, item.clip && "clip"))
    item.bits.forEach(one => made.append(bit(one)))
    return made
  }
  const band = item => {
    const made = make("div", "rail")
    const range = make("span", "band")
    range.style.left = percent(item.low)
    range.style.width = percent(Math.max(0.01, item.high - item.low))
    made.append(range)
    if (item.at !== null) {
      const dot = make("span", "dot")
      dot.style.left = percent(item.at)
      made.append(dot)
    }
    return made
  }
  const bars = item => {
    const made = make("div", classes("bars", item.wide && "wide", item.bars.every(one => !one.label) && "bare"))
    item.bars.forEach(one => {
      const label = act(make(one.act ? "button" : "span", classes("label", one.on && "on"), one.label), one)
      if (!one.title) label.title = one.label
      const bar = make("span", "bar")
      one.segments.forEach(part => {
        const made = make(part.act ? "button" : "span", classes("segment", `f-${part.tone}`, part.on && "on"))
        made.style.width = percent(part.share)
        bar.append(act(made, part, part.title))
      })
      made.append(label, bar, make("span", "figures", one.text))
    })
    return made
  }
  const SPACE = "http://www.w3.org/2000/svg", WIDE = 300, HIGH = 104, TOP = 16, FOOT = 16
  const draw = (tag, values, text) => {
    const made = document.createElementNS(SPACE, tag)
    Object.entries(values).forEach(([name, value]) => made.setAttribute(name, value))
    if (text !== undefined) made.textContent = text
    return made
  }
  // Failures are hatched, so that they are told apart without colours too.
  const hatch = name => {
    const made = draw("pattern", { id: name, width: 6, height: 6, patternUnits: "userSpaceOnUse", patternTransform: "rotate(45)" })
    made.append(draw("rect", { width: 6, height: 6, class: "f-error" }), draw("rect", { width: 2, height: 6, class: "hatch" }))
    return made
  }
  const pillars = (item, at) => {
    const name = `hatch-${at.replace(" ", "-")}`
    const made = draw("svg", { class: "ed-chart", viewBox: `0 0 ${WIDE} ${TOP + HIGH + FOOT}`, role: "group", "aria-label": item.label })
    const defs = draw("defs", {})
    defs.append(hatch(name))
    made.append(defs)
    const wide = WIDE / item.pillars.length
    item.pillars.forEach((one, place) => {
      const group = draw("g", { class: classes("pillar", one.act && "click", one.on && "on") })
      group.append(draw("title", {}, one.title))
      group.append(draw("rect", { class: "hit", x: place * wide, y: 0, width: wide, height: TOP + HIGH }))
      let from = TOP + HIGH
      one.parts.forEach(([share, tone]) => {
        const high = share && Math.max(1.5, share * HIGH)
        from -= high
        const part = draw("rect", { class: `f-${tone}`, x: place * wide + 0.75, y: from, width: wide - 1.5, height: high, rx: 1 })
        if (tone === "error") part.style.fill = `url(#${name})`
        group.append(part)
      })
      if (one.act) {
        const go = () => setTriggerValue("act", one.act)
        group.dataset.act = one.act
        group.setAttribute("tabindex", 0)
        group.setAttribute("role", "button")
        group.setAttribute("aria-label", one.title)
        if (one.on) group.setAttribute("aria-pressed", "true")
        group.onclick = go
        group.onkeydown = event => {
          if (event.key !== "Enter" && event.key !== " ") return
          event.preventDefault()
          go()
        }
      }
      made.append(group)
    })
    made.append(draw("line", { class: "axis", x1: 0, x2: WIDE, y1: TOP + HIGH, y2: TOP + HIGH }))
    item.marks.forEach(([at, text], place) => {
      const x = Math.min(WIDE - 1, Math.max(1, at * WIDE)), left = at > 0.5
      made.append(draw("line", { class: "mark", x1: x, x2: x, y1: 2, y2: TOP + HIGH }))
      made.append(draw("text", { class: "said", x: x + (left ? -5 : 5), y: 10 + 12 * place, "text-anchor": left ? "end" : "start" }, text))
    })
    const foot = TOP + HIGH + FOOT - 4
    made.append(draw("text", { class: "said", x: 0, y: foot }, item.low))
    made.append(draw("text", { class: "said", x: WIDE, y: foot, "text-anchor": "end" }, item.high))
    return made
  }
  const wash = value => {
    const strength = Math.round(Math.abs(value - 0.5) * 2 * 32)
    return `color-mix(in srgb, var(${value >= 0.5 ? "--good" : "--bad"}) ${strength}%, transparent)`
  }
  const table = item => {
    const frame = make("div", item.height ? "frame scrolls" : "frame")
    if (item.height) frame.style.maxHeight = item.height
    const made = make("table")
    made.setAttribute("aria-label", item.label)
    const widths = make("colgroup")
    const head = make("tr")
    item.head.forEach(one => {
      const col = make("col")
      if (one.width) col.style.width = one.width
      widths.append(col)
      const th = make("th", one.align)
      th.append(act(make(one.act ? "button" : "span", "", one.text), one))
      if (one.title) th.title = one.title
      head.append(th)
    })
    const body = make("tbody")
    item.rows.forEach(row => {
      const tr = make("tr", classes(row.on && "on", row.act && "click"))
      if (row.act) tr.onclick = () => setTriggerValue("act", row.act)
      row.cells.forEach((one, place) => {
        const td = make("td", classes(item.head[place]?.align, one.on && "on"))
        if (one.wash !== null) td.style.background = wash(one.wash)
        if (one.title) td.title = one.title
        // A button inside, so that the table stays a table to those who hear it.
        const own = one.act || (place === 0 && row.act)
        const said = one.act ? `${row.name}, ${item.head[place]?.text}: ${one.bits.map(each => each.text).join(" ")}` : row.name
        const first = own ? act(make("button", "cell"), { act: own, on: one.on || (place === 0 && row.on) }, said) : make("div", "cell")
        if (one.act) {
          td.classList.add("click")
          td.onclick = event => {
            event.stopPropagation()
            setTriggerValue("act", one.act)
          }
        }
        one.bits.forEach(each => first.append(bit(each)))
        td.append(first)
        if (one.below.length) {
          const second = make("div", "cell below")
          one.below.forEach(each => second.append(bit(each)))
          td.append(second)
        }
        if (one.band) td.append(band(one.band))
        tr.append(td)
      })
      body.append(tr)
    })
    const top = make("thead")
    top.append(head)
    made.append(widths, top, body)
    frame.append(made)
    return frame
  }
  const fold = (item, at) => {
    const made = make("details")
    made.dataset.at = at
    made.open = open.has(at)
    made.append(make("summary", "", item.heading))
    const list = make("dl")
    item.pairs.forEach(([name, text]) => list.append(make("dt", "", name), make("dd", "", text)))
    made.append(list)
    return made
  }
  const kinds = { line, band, bars, pillars, table, fold }
  const grid = make("div", `grid ${data.look}`)
  grid.style.setProperty("--least", data.least)
  data.panels.forEach((panel, place) => {
    const made = make("section", "panel")
    made.style.flexGrow = panel.grow
    made.style.flexBasis = `calc(var(--least) * ${panel.grow})`
    if (panel.title) {
      const title = make("div", "heading")
      title.append(make("h4", "", panel.title))
      if (panel.note) title.append(make("span", "note", panel.note))
      made.append(title)
    }
    panel.items.forEach((item, n) => made.append(kinds[item.kind](item, `${place} ${n}`)))
    grid.append(made)
  })
  root.replaceChildren(grid)
  root.querySelectorAll(".scrolls").forEach((made, n) => (made.scrollTop = scrolled[n] ?? 0))
  if (held) [...root.querySelectorAll("[data-act]")].find(made => made.dataset.act === held)?.focus({ preventScroll: true })
}
