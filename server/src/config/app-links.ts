import { ConfigError, listed, type ReadSetting } from './values.ts'

/** The packaged apps that may open links of this server. */
export interface AppLinkSettings {
  readonly android: { readonly packageName: string; readonly fingerprints: readonly string[] } | null
  readonly appleAppIds: readonly string[]
}

export function appLinksOf(value: ReadSetting): AppLinkSettings {
  const fingerprints = listed(value('APP_LINK_ANDROID_FINGERPRINTS')).map((text) => text.toUpperCase())
  if (!fingerprints.every((text) => /^[0-9A-F]{2}(?::[0-9A-F]{2}){31}$/.test(text)))
    throw new ConfigError(
      'APP_LINK_ANDROID_FINGERPRINTS must be SHA-256 fingerprints such as AB:CD:…, separated by commas.',
    )
  const packageName = value('APP_LINK_ANDROID_PACKAGE') ?? 'app.hither.mobile'
  if (!/^[a-z]\w*(?:\.[a-z]\w*)+$/i.test(packageName))
    throw new ConfigError('APP_LINK_ANDROID_PACKAGE must be the name of a package such as app.hither.mobile.')
  const appleAppIds = listed(value('APP_LINK_APPLE_APP_IDS'))
  if (!appleAppIds.every((text) => /^[0-9A-Z]{10}(?:\.[0-9A-Za-z-]+)+$/.test(text)))
    throw new ConfigError(
      'APP_LINK_APPLE_APP_IDS must be identifiers such as ABCDE12345.app.hither.mobile, separated by commas.',
    )
  return { android: fingerprints.length > 0 ? { packageName, fingerprints } : null, appleAppIds }
}
