interface Shell {
  isNativePlatform?(): boolean
  getPlatform?(): string
}

/** Returns true in the packaged app, which defines an object of this name in its pages before any script runs. */
export function isNative(): boolean {
  return shell()?.isNativePlatform?.() === true
}

export function isNativeIos(): boolean {
  return isNative() && shell()?.getPlatform?.() === 'ios'
}

function shell(): Shell | undefined {
  return (globalThis as { Capacitor?: Shell }).Capacitor
}
