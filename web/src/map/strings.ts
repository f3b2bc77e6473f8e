import { t } from '../i18n/translate.ts'

export const mapStrings = {
  loading: t('map.loading'),
  attempt: (attempt: number, of: number) => t('map.attempt', { attempt, of }),
  failed: t('map.failed'),
  failedToStart: t('map.failedToStart'),
  hideAlert: t('map.hideAlert'),
  tools: t('map.tools'),
  away: (distance: string, minutes: number) => t('map.away', { distance, minutes }),
  awayFar: (distance: string) => t('map.awayFar', { distance }),
  unsupported: t('map.unsupported'),
} as const

export const locationStrings = {
  unsupported: t('map.location.unsupported'),
  failed: t('map.location.failed'),
  denied: t('map.location.denied'),
  unavailable: t('map.location.unavailable'),
  timedOut: t('map.location.timedOut'),
  unknown: t('map.location.unknown'),
  locating: t('map.location.locating'),
  insecure: t('map.location.insecure'),
} as const
