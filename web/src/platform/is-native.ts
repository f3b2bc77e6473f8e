interface Shell {
  isNativePlatform?(): boolean
  getPlatform?(): string
}

/** Whether this page runs inside the packaged app, which puts an object of this name into its pages before any script. */
export function isNative(): boolean {
  return shell()?.isNativePlatform?.() === true
}

export function isNativeIos(): boolean {
  return isNative() && shell()?.getPlatform?.() === 'ios'
}

function shell(): Shell | undefined {
  return (globalThis as { Capacitor?: Shell }).Capacitor
}
