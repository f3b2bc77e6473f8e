import { t } from '../i18n/translate.ts'

export const safetyStrings = {
  title: t('safety.title'),
  openPins: t('safety.openPins'),
  openPinsFailed: t('safety.openPinsFailed'),
  noOpenPins: t('safety.noOpenPins'),
  deletePin: t('safety.deletePin'),
  deletePinOf: (name: string) => t('safety.deletePinOf', { name }),
  friendLinks: t('safety.friendLinks'),
  activeLinks: (count: number) => t('safety.activeLinks', { count }),
  show: t('safety.show'),
  showFriendLinks: t('safety.showFriendLinks'),
  trips: t('safety.trips'),
  tripsFailed: t('safety.tripsFailed'),
  hereSince: (pin: string, time: string) => t('safety.hereSince', { pin, time }),
  stopTripTo: (pin: string) => t('safety.stopTripTo', { pin }),
  links: t('safety.links'),
  anyoneResponds: t('safety.anyoneResponds'),
  noLinks: t('safety.noLinks'),
  linkText: (pin: string) => t('safety.linkText', { pin }),
  endLink: t('safety.endLink'),
  endLinkOf: (pin: string) => t('safety.endLinkOf', { pin }),
} as const

export const deviceStrings = {
  devices: t('safety.device.devices'),
  devicesFailed: t('safety.device.devicesFailed'),
  thisDevice: t('safety.device.thisDevice'),
  /** The server's names of devices have the form "Firefox on Windows", "iPhone" or "Firefox". */
  deviceName(device: string | null) {
    if (device === null) return t('safety.device.unknownDevice')
    const [browser = '', system] = device.split(' on ')
    return system === undefined ? device : t('safety.device.browserOn', { browser, system })
  },
  lastUsed: t('safety.device.lastUsed'),
  signOutDevice: t('safety.device.signOutDevice'),
  signOutDeviceOf: (device: string) => t('safety.device.signOutDeviceOf', { device }),
  signOutOthers: t('safety.device.signOutOthers'),
  signOutFailed: t('safety.device.signOutFailed'),
  signOutOthersFailed: t('safety.device.signOutOthersFailed'),
  othersSignedOut: t('safety.device.othersSignedOut'),
} as const

export const blockedStrings = {
  blocked: t('safety.blocked.blocked'),
  blockedFailed: t('safety.blocked.blockedFailed'),
  noneBlocked: t('safety.blocked.noneBlocked'),
  blockedSince: t('safety.blocked.blockedSince'),
  unblock: t('safety.blocked.unblock'),
  unblockOf: (name: string) => t('safety.blocked.unblockOf', { name }),
  unblocked: (name: string) => t('safety.blocked.unblocked', { name }),
  unblockFailed: t('safety.blocked.unblockFailed'),
} as const
