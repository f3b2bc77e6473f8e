import type { ClientConfig } from '@hither/contract/config.ts'
import { listText } from '../../i18n/format.ts'
import { t } from '../../i18n/translate.ts'

/** `config` is undefined while it is unknown. */
export function privacySections(config: ClientConfig | undefined): { heading: string; text: string[] }[] {
  return [
    {
      heading: t('privacy.sections.0.heading'),
      text: [t('privacy.sections.0.0')],
    },
    {
      heading: t('privacy.sections.1.heading'),
      text: [
        t('privacy.sections.1.0'),
        t('privacy.sections.1.1'),
        t('privacy.sections.1.2'),
        t('privacy.sections.1.3'),
      ],
    },
    {
      heading: t('privacy.sections.2.heading'),
      text: [
        t('privacy.sections.2.0'),
        t('privacy.sections.2.1'),
        t('privacy.sections.2.2'),
        t('privacy.sections.2.3'),
        t('privacy.sections.2.4'),
        t('privacy.sections.2.5'),
        t('privacy.sections.2.6'),
        t('privacy.sections.2.7'),
        t('privacy.sections.2.8'),
        t('privacy.sections.2.9'),
        t('privacy.sections.2.10'),
        t('privacy.sections.2.11'),
        t('privacy.sections.2.12'),
      ],
    },
    {
      heading: t('privacy.sections.3.heading'),
      text: [
        ...erasureTexts(config),
        t('privacy.sections.3.0'),
        t('privacy.sections.3.1'),
        t('privacy.sections.3.2'),
        t('privacy.sections.3.3'),
        t('privacy.sections.3.4'),
        t('privacy.sections.3.5'),
      ],
    },
    {
      heading: t('privacy.sections.4.heading'),
      text: [t('privacy.sections.4.0'), t('privacy.sections.4.1'), t('privacy.sections.4.2')],
    },
    {
      heading: t('privacy.sections.5.heading'),
      text: [
        t('privacy.sections.5.0'),
        t('privacy.sections.5.1'),
        t('privacy.sections.5.2'),
        t('privacy.sections.5.3'),
      ],
    },
    {
      heading: t('privacy.sections.6.heading'),
      text: [t('privacy.sections.6.0')],
    },
  ]
}

/** When this server erases pins and their chats. */
function erasureTexts(config: ClientConfig | undefined): string[] {
  if (config?.erasure === undefined) return []
  const { place_hours: hours, ping_days: days, chat_days } = config.erasure
  const place = hours === 0 ? t('privacy.erasure.placeAtEnd') : t('privacy.erasure.place', { hours })
  const chat = chat_days === 0 ? [] : [t('privacy.erasure.chat', { days: chat_days })]
  return [place, t('privacy.erasure.pin', { days }), ...chat]
}

/**
 * What leaves for third parties under the settings of this server, one sentence per receiver. `config` is undefined while
 * it is unknown.
 */
export function othersText(config: ClientConfig | undefined): string[] {
  const none = t('privacy.others.none')
  const push = t('privacy.others.push')
  if (config === undefined) return [none, push]
  const { map, geocoder, directions_url, features } = config
  return [
    none,
    geocoder ? t('privacy.others.addressService') : t('privacy.others.noAddressService'),
    mapText(map),
    t('privacy.others.directions', { host: hostOf(directions_url) }),
    ...signInTexts(config),
    features.password_reset ? t('privacy.others.mail') : t('privacy.others.noMail'),
    push,
  ]
}

function signInTexts({ google_client_id, oidc = null }: ClientConfig): string[] {
  const google = t('privacy.others.google')
  const texts = google_client_id === null ? [] : [google]
  if (oidc !== null) texts.push(t('privacy.others.provider', { name: oidc.name }))
  return texts.length > 0 ? texts : [t('privacy.others.noSignIn')]
}

function mapText({ online, online_streets, satellite }: ClientConfig['map']): string {
  const urls = [...(online_streets === null ? [] : [online_streets]), ...satellite].map(({ url }) => url)
  const hosts = [...new Set(urls.map(hostOf))]
  return online && hosts.length > 0 ? t('privacy.others.maps', { hosts: listText(hosts) }) : t('privacy.others.ownMaps')
}

/** Placeholders such as `{z}` are not part of a host. */
function hostOf(url: string): string {
  return new URL(url.replaceAll(/[{}]/g, '')).host
}
