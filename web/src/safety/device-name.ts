import { t } from '../i18n/translate.ts'

/** The server's names of devices have the form "Firefox on Windows", "iPhone" or "Firefox". */
export function deviceName(device: string | null): string {
  if (device === null) return t('safety.device.unknownDevice')
  const [browser = '', system] = device.split(' on ')
  return system === undefined ? device : t('safety.device.browserOn', { browser, system })
}
