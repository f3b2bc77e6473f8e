/** Saves a file on the device. A link cannot carry a token, so its content is already here. */
export function downloadFile(content: Blob, fileName: string) {
  const url = URL.createObjectURL(content)
  const link = document.createElement('a')
  link.href = url
  link.download = fileName
  link.click()
  // The browser reads the object URL after this event-loop tick.
  setTimeout(() => URL.revokeObjectURL(url), 10_000)
}
