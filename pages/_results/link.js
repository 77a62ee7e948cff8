// Copies the address of the page; what the address should also say is given as data.
export default function ({ data, parentElement }) {
  const root = parentElement.querySelector(".share")
  const address = () => {
    const found = new URL(window.location.href)
    for (const [name, value] of Object.entries(data.extra))
      if (value && !found.searchParams.has(name)) found.searchParams.set(name, value)
    return found.href
  }
  const row = document.createElement("div")
  row.className = "row"
  const button = document.createElement("button")
  button.type = "button"
  button.textContent = data.label
  const told = document.createElement("span")
  told.className = "note"
  told.setAttribute("role", "status")
  told.textContent = data.help
  row.append(button, told)
  root.replaceChildren(row)
  // A page that came over plain HTTP from another machine may not use the clipboard by itself.
  const byHand = () => {
    const field = document.createElement("input")
    field.readOnly = true
    field.value = address()
    field.setAttribute("aria-label", "Link")
    root.replaceChildren(row, field)
    field.select()
    told.textContent = document.execCommand("copy") ? data.done : "Copy this:"
  }
  button.onclick = async () => {
    try {
      await navigator.clipboard.writeText(address())
      told.textContent = data.done
    } catch {
      byHand()
    }
  }
}
