import { isNative, isNativeIos } from '../../platform/is-native.ts'

interface Target {
  name: string
  latitude: number
  longitude: number
}

/** The device of the page: `android` or `ios` in the packaged app. */
type Device = 'browser' | 'android' | 'ios'

/** Returns the `geo:` or Apple Maps address on a phone, otherwise the page that the server has configured. */
export function directionsAddress(target: Target, template: string, device: Device = thisDevice()): string {
  const { name, latitude, longitude } = target
  switch (device) {
    case 'android': {
      const label = encodeURIComponent(name).replaceAll('(', '%28').replaceAll(')', '%29')
      return `geo:${latitude},${longitude}?q=${latitude},${longitude}(${label})`
    }
    // iOS does not support `geo:` addresses.
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
