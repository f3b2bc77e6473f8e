import { t } from '../../i18n/translate.ts'
import { setPushTexts } from '../../service-worker/push-store.ts'

/** Stores the texts that the service worker itself shows. A sign-out deletes them with the rest of the push data. */
export async function storePushTexts(): Promise<void> {
  await setPushTexts({ unknown: t('pwa.push.unknown'), responseFailed: t('pwa.push.responseFailed') })
}
