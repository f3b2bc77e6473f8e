import type { SecurityEventKind } from '@hither/contract/runtime/security-events.ts'

/** What a push and a mail say about a change to how an account can be entered. */
export const securitySentences: Readonly<Record<SecurityEventKind, string>> = {
  passkey_added: 'A passkey was added to your account.',
  passkey_removed: 'A passkey was removed from your account.',
  provider_linked: 'A sign-in provider was linked to your account.',
  provider_unlinked: 'A sign-in provider was unlinked from your account.',
  recovery_codes_created: 'New recovery codes were created for your account.',
  recovery_code_used: 'A recovery code of your account was used.',
  password_changed: 'The password of your account was changed.',
  password_reset: 'The password of your account was reset.',
  reset_link_created: 'A password reset link was created for your account.',
}
