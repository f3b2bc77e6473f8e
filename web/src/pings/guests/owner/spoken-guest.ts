import { t } from '../../../i18n/translate.ts'

/** What screen readers read of a guest. The name of a guest with an account is the username. */
export function spokenGuest(name: string, hasAccount: boolean, answer: string): string {
  return hasAccount
    ? t('pings.guestList.spoken', { name, answer })
    : t('pings.guestList.spokenUnverified', { name, answer })
}
