// Sends what is being typed before it could be lost.
// Streamlit sends a field's text when the field is left. It is sent here, too, when a shortcut acts,
// when typing pauses, and when the page is about to go away.
export default function () {
  if (window.evaldeskKeys) return
  window.evaldeskKeys = true
  const PAUSE = 900
  let timer
  const typedIn = () => {
    const field = document.activeElement
    const main = field?.closest?.('[data-testid="stMain"]')
    const isText = field?.tagName === "TEXTAREA" || (field?.tagName === "INPUT" && field.type === "text")
    // A choice is made, not typed: its list must stay open while one types to find something in it.
    return isText && main && field.getAttribute("role") !== "combobox" && !field.closest('[role="dialog"], [data-testid="stForm"]') ? field : null
  }
  const send = () => {
    clearTimeout(timer)
    const field = typedIn()
    const keys = { key: "Enter", code: "Enter", keyCode: 13, which: 13, bubbles: true, cancelable: true }
    // Ctrl+Enter hands over a text of several lines and Enter one line; the cursor stays where it is.
    field?.dispatchEvent(new KeyboardEvent("keydown", { ...keys, ctrlKey: field.tagName === "TEXTAREA" }))
  }
  document.addEventListener("input", () => {
    clearTimeout(timer)
    if (typedIn()) timer = setTimeout(send, PAUSE)
  }, true)
  document.addEventListener("visibilitychange", () => document.hidden && send())
  window.addEventListener("pagehide", send)
  document.addEventListener(
    "keydown",
    event => {
      const field = document.activeElement
      const isTyped = field?.tagName === "INPUT" || field?.tagName === "TEXTAREA"
      const saves = (event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "s"
      // While there is nothing to save, no button takes the key: the browser would save the page.
      if (saves) event.preventDefault()
      if (isTyped && (saves || (event.altKey && event.key.startsWith("Arrow")))) field.blur()
    },
    true
  )
}
