// A list of rows. Every text goes in through textContent: file text can never become markup.
export default function ({ data, parentElement, setTriggerValue }) {
  const root = parentElement.querySelector(".rows")
  const keep = root.scrollTop
  const before = root.dataset.current ?? ""
  const at = root.getRootNode().activeElement?.closest?.("tr")?.dataset.id
  const make = (tag, css, text) => {
    const made = document.createElement(tag)
    if (css) made.className = css
    if (text !== undefined) made.textContent = text
    return made
  }
  const ids = data.rows.map(row => row.id)
  // Boxes may be ticked faster than the server answers. What was sent last holds until it is echoed.
  const ECHO_MS = 5000
  const sent = root.evaldeskSent
  const told = ids.filter(id => data.ticked.includes(id)).join()
  const isWaiting = sent?.rows === ids.join() && Date.now() - sent.at < ECHO_MS && sent.ticks.join() !== told
  if (!isWaiting) root.evaldeskSent = undefined
  const ticked = new Set(isWaiting ? sent.ticks : data.ticked)
  const tick = wanted => {
    const ticks = ids.filter(id => wanted.has(id))
    root.evaldeskSent = { rows: ids.join(), ticks, at: Date.now() }
    ticked.clear()
    ticks.forEach(id => ticked.add(id))
    setTriggerValue("tick", ticks)
  }
  const box = (name, on, partly, change) => {
    const cell = make("td", "tick")
    const input = make("input")
    input.type = "checkbox"
    input.checked = on
    input.indeterminate = partly
    input.setAttribute("aria-label", name)
    input.onchange = () => change(input.checked)
    cell.onclick = event => event.stopPropagation()
    cell.append(input)
    return cell
  }
  const piece = ({ text, tone, chip, title, strong, tail }) => {
    const made = make("span", [tone && `t-${tone}`, chip && "chip", strong && "strong", tail && "tail"].filter(Boolean).join(" "), text)
    if (tail) made.replaceChildren(make("bdi", "", text))
    if (title) made.title = title
    return made
  }
  const look = column => [column.align === "right" && "right", column.from_width && `from-${column.from_width}`].filter(Boolean).join(" ")
  const table = make("table")
  table.setAttribute("aria-label", data.label)
  const columns = make("colgroup")
  if (data.tickable) columns.append(Object.assign(make("col"), { style: "width:30px" }))
  data.columns.forEach(column => {
    const made = make("col")
    if (column.width) made.style.width = column.width
    made.className = look(column)
    columns.append(made)
  })
  const head = make("tr")
  if (data.tickable) {
    const all = ids.length > 0 && ids.every(id => ticked.has(id))
    const some = !all && ids.some(id => ticked.has(id))
    const cell = box("Select all on this page", all, some, on => tick(new Set(on ? ids : [])))
    const th = make("th", "tick")
    th.append(...cell.childNodes)
    head.append(th)
  }
  data.columns.forEach(column => {
    const th = make("th", look(column), column.sort ? undefined : column.label)
    if (column.sort) {
      const way = data.sorted === column.sort ? 1 : data.sorted === `-${column.sort}` ? -1 : 0
      const button = make("button", "sort", column.label + (way ? (way > 0 ? " ↑" : " ↓") : ""))
      button.setAttribute("aria-label", `Sort by ${column.label}`)
      if (way) th.setAttribute("aria-sort", way > 0 ? "ascending" : "descending")
      button.onclick = () => setTriggerValue("sort", way > 0 ? `-${column.sort}` : column.sort)
      th.append(button)
    }
    head.append(th)
  })
  const body = make("tbody")
  data.rows.forEach((row, place) => {
    const line = make("tr", row.id === data.current ? "current" : "")
    line.dataset.id = row.id
    if (data.tickable) {
      line.append(
        box(`Select ${row.name}`, ticked.has(row.id), false, on => {
          const wanted = new Set(ticked)
          on ? wanted.add(row.id) : wanted.delete(row.id)
          tick(wanted)
        })
      )
    }
    row.cells.forEach((cell, index) => {
      const column = data.columns[index]
      const td = make("td", look(column))
      const first = make(index === 0 && row.href ? "a" : "div", "line")
      if (index === 0 && row.href) {
        first.href = row.href
        if (row.id === data.current) first.setAttribute("aria-current", "true")
      }
      cell.line.forEach(part => first.append(piece(part)))
      td.append(first)
      if (cell.below.length) {
        const second = make("div", cell.runs ? "below runs" : "line below")
        cell.below.forEach(part => second.append(piece(part)))
        td.append(second)
      }
      if (cell.action) {
        td.classList.add("action")
        td.tabIndex = 0
        td.setAttribute("role", "button")
        const act = event => {
          event.stopPropagation()
          event.preventDefault()
          setTriggerValue("act", `${cell.action}:${row.id}`)
        }
        td.onclick = act
        td.onkeydown = event => (event.key === "Enter" || event.key === " ") && act(event)
      }
      line.append(td)
    })
    line.onclick = event => {
      if (event.ctrlKey || event.metaKey || event.shiftKey || event.button) return
      event.preventDefault()
      setTriggerValue("open", row.id)
    }
    line.onkeydown = event => {
      const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
      const next = step && body.children[place + step]?.querySelector("a")
      if (next) {
        event.preventDefault()
        next.focus()
      }
    }
    body.append(line)
  })
  const top = make("thead")
  top.append(head)
  table.append(columns, top, body)
  root.replaceChildren(table)
  root.style.maxHeight = data.height
  root.scrollTop = keep
  root.dataset.current = data.current ?? ""
  const current = body.querySelector("tr.current")
  if (current && before !== data.current) current.scrollIntoView({ block: "nearest" })
  if (at) [...body.children].find(line => line.dataset.id === at)?.querySelector("a")?.focus({ preventScroll: true })
}
