import type { SecurityEventKind } from '@hither/contract/runtime/auth/security-events.ts'
import type { Translate } from '../platform/languages/translator.ts'

/** What a push and a mail say about a change to how an account can be entered. */
export function securitySentence(change: SecurityEventKind, t: Translate): string {
  switch (change) {
    case 'passkey_added':
      return t('security.passkey_added')
    case 'passkey_removed':
      return t('security.passkey_removed')
    case 'provider_linked':
      return t('security.provider_linked')
    case 'provider_unlinked':
      return t('security.provider_unlinked')
    case 'recovery_codes_created':
      return t('security.recovery_codes_created')
    case 'recovery_code_used':
      return t('security.recovery_code_used')
    case 'password_changed':
      return t('security.password_changed')
    case 'password_reset':
      return t('security.password_reset')
    case 'reset_link_created':
      return t('security.reset_link_created')
  }
}
