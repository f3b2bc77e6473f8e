interface Target {
  name: string
  latitude: number
  longitude: number
}

/** Into the phone's own choice of map apps where there is one, else to the page that the server names. */
export function directionsAddress(target: Target, template: string, isInShell = isNativeShell()): string {
  const { name, latitude, longitude } = target
  if (isInShell) {
    const label = encodeURIComponent(name).replaceAll('(', '%28').replaceAll(')', '%29')
    return `geo:${latitude},${longitude}?q=${latitude},${longitude}(${label})`
  }
  return template.replaceAll('{latitude}', String(latitude)).replaceAll('{longitude}', String(longitude))
}

/** The shell puts an object of this name into its pages. */
function isNativeShell(): boolean {
  const { Capacitor } = globalThis as { Capacitor?: { isNativePlatform?(): boolean } }
  return Capacitor?.isNativePlatform?.() === true
}
