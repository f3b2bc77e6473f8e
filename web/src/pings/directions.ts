import { isNative, isNativeIos } from '../platform/is-native.ts'

interface Target {
  name: string
  latitude: number
  longitude: number
}

/** Where the page runs: `android` and `ios` in the packaged app. */
type Device = 'browser' | 'android' | 'ios'

/** Into the phone's own choice of map apps where there is one, else to the page that the server names. */
export function directionsAddress(target: Target, template: string, device: Device = thisDevice()): string {
  const { name, latitude, longitude } = target
  switch (device) {
    case 'android': {
      const label = encodeURIComponent(name).replaceAll('(', '%28').replaceAll(')', '%29')
      return `geo:${latitude},${longitude}?q=${latitude},${longitude}(${label})`
    }
    // Which knows no addresses of that kind.
    case 'ios':
      return `https://maps.apple.com/?daddr=${latitude},${longitude}&q=${encodeURIComponent(name)}`
    case 'browser':
      return template.replaceAll('{latitude}', String(latitude)).replaceAll('{longitude}', String(longitude))
  }
}

function thisDevice(): Device {
  if (!isNative()) return 'browser'
  return isNativeIos() ? 'ios' : 'android'
}
