import type { SecurityEventKind } from '@hither/contract/runtime/auth/security-events.ts'
import { newId } from '../../platform/db/ids.ts'
import { securitySentence } from '../security-sentences.ts'
import { type Kind, minuteMs } from './kind.ts'

/**
 * A change to how an account can be entered. Each change is a push of its own. It goes to all signed-in devices except the one
 * that made it, and to those that the change has signed out.
 */
export const security: Kind<{ readonly change: SecurityEventKind }> = {
  lifetimeMs: 72 * 60 * minuteMs,
  urgency: 'high',
  events: {
    account_entry_changed: ({ userId: ownerId, change, exceptSessionId, at }) => ({
      subject: { change },
      tag: `security:${newId()}`,
      happenedAt: at,
      to: { ownerId, exceptSessionId, dueAt: at },
    }),
  },
  hiddenTitle: (t) => t('pushes.security'),
  async find({ t }, { subject: { change } }) {
    return {
      content: { title: t('pushes.security'), body: securitySentence(change, t), url: '/profile', actions: [] },
    }
  },
}
