import { registerPlugin } from '@capacitor/core'

export { KeychainAccess, SecureStorage } from '@aparajita/capacitor-secure-storage'
export { SystemBars, SystemBarsStyle } from '@capacitor/core'

/** Registered by name, with only the types imported: the packages' browser implementations are not needed. */
export const App = registerPlugin<import('@capacitor/app').AppPlugin>('App')
export const Clipboard = registerPlugin<import('@capacitor/clipboard').ClipboardPlugin>('Clipboard')
export const Geolocation = registerPlugin<import('@capacitor/geolocation').GeolocationPlugin>('Geolocation')
export const Preferences = registerPlugin<import('@capacitor/preferences').PreferencesPlugin>('Preferences')
export const Share = registerPlugin<import('@capacitor/share').SharePlugin>('Share')
export const SplashScreen = registerPlugin<import('@capacitor/splash-screen').SplashScreenPlugin>('SplashScreen')
