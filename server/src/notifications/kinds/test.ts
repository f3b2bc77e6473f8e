import { type Kind, minuteMs } from './kind.ts'

/** A person tries whether notifications reach their device. */
export const test: Kind = {
  lifetimeMs: 5 * minuteMs,
  urgency: 'high',
  events: {},
  hiddenTitle: (t) => t('pushes.test'),
  async find({ t }) {
    return { content: { title: t('pushes.test'), body: t('pushes.testText'), url: '/profile', actions: [] } }
  },
}
