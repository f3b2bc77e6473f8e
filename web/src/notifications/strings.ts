import type { NotificationKind } from '@hither/contract/runtime/notifications.ts'
import { t } from '../i18n/translate.ts'
import type { PushState } from './push/push-state.ts'

export const cardStrings = {
  subscribeFailed: t('notifications.subscribeFailed'),
  unsubscribeFailed: t('notifications.unsubscribeFailed'),
  loadFailed: t('notifications.loadFailed'),
  saveFailed: t('notifications.saveFailed'),
  testFailed: t('notifications.testFailed'),
  title: t('notifications.card.title'),
  device: t('notifications.card.device'),
  states: {
    checking: '',
    native: t('notifications.card.states.native'),
    insecure: t('notifications.card.states.insecure'),
    install: t('notifications.card.states.install'),
    unsupported: t('notifications.card.states.unsupported'),
    unavailable: t('notifications.card.states.unavailable'),
    denied: t('notifications.card.states.denied'),
    off: t('notifications.card.states.off'),
    on: t('notifications.card.states.on'),
  } satisfies Record<PushState, string>,
  turnOn: t('notifications.card.turnOn'),
  turnOnName: t('notifications.card.turnOnName'),
  turnOff: t('notifications.card.turnOff'),
  turnOffName: t('notifications.card.turnOffName'),
  turnedOn: t('notifications.card.turnedOn'),
  turnedOff: t('notifications.card.turnedOff'),
  pushUnavailable: t('notifications.card.pushUnavailable'),
  settings: t('notifications.card.settings'),
  settingsText: t('notifications.card.settingsText'),
  choose: t('notifications.card.choose'),
  chooseName: t('notifications.card.chooseName'),
  test: t('notifications.card.test'),
  testText: t('notifications.card.testText'),
  sendTest: t('notifications.card.sendTest'),
  testSent: t('notifications.card.testSent'),
} as const

export const settingsStrings = {
  title: t('notifications.settings.title'),
  kinds: (kind: NotificationKind) => ({
    label: t(`notifications.settings.kinds.${kind}.label`),
    text: t(`notifications.settings.kinds.${kind}.text`),
  }),
  quiet: t('notifications.settings.quiet'),
  quietText: t('notifications.settings.quietText'),
  from: t('notifications.settings.from'),
  to: t('notifications.settings.to'),
  zone: (name: string) => t('notifications.settings.zone', { name }),
  hide: t('notifications.settings.hide'),
  hideText: t('notifications.settings.hideText'),
  close: t('notifications.settings.close'),
} as const

export const suggestionStrings = {
  text: t('notifications.suggestion.text'),
  later: t('notifications.suggestion.later'),
  turnOn: t('notifications.suggestion.turnOn'),
} as const

export const muteStrings = {
  mute: t('notifications.mute.mute'),
  unmute: t('notifications.mute.unmute'),
  muted: t('notifications.mute.muted'),
  title: t('notifications.mute.title'),
  text: t('notifications.mute.text'),
  choices: {
    1: t('notifications.mute.choices.1'),
    8: t('notifications.mute.choices.8'),
    168: t('notifications.mute.choices.168'),
  },
  forGood: t('notifications.mute.forGood'),
  cancel: t('notifications.mute.cancel'),
  mutedUntil: (time: string) => t('notifications.mute.mutedUntil', { time }),
  mutedForGood: t('notifications.mute.mutedForGood'),
  unmuted: t('notifications.mute.unmuted'),
  failed: t('notifications.muteFailed'),
} as const
