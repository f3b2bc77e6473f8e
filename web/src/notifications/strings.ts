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
  kinds: {
    new_ping: {
      label: t('notifications.settings.kinds.new_ping.label'),
      text: t('notifications.settings.kinds.new_ping.text'),
    },
    ping_activated: {
      label: t('notifications.settings.kinds.ping_activated.label'),
      text: t('notifications.settings.kinds.ping_activated.text'),
    },
    ping_changed: {
      label: t('notifications.settings.kinds.ping_changed.label'),
      text: t('notifications.settings.kinds.ping_changed.text'),
    },
    ping_reminder: {
      label: t('notifications.settings.kinds.ping_reminder.label'),
      text: t('notifications.settings.kinds.ping_reminder.text'),
    },
    ping_response: {
      label: t('notifications.settings.kinds.ping_response.label'),
      text: t('notifications.settings.kinds.ping_response.text'),
    },
    ping_trip: {
      label: t('notifications.settings.kinds.ping_trip.label'),
      text: t('notifications.settings.kinds.ping_trip.text'),
    },
    message: {
      label: t('notifications.settings.kinds.message.label'),
      text: t('notifications.settings.kinds.message.text'),
    },
    message_reaction: {
      label: t('notifications.settings.kinds.message_reaction.label'),
      text: t('notifications.settings.kinds.message_reaction.text'),
    },
    friend_request: {
      label: t('notifications.settings.kinds.friend_request.label'),
      text: t('notifications.settings.kinds.friend_request.text'),
    },
  } satisfies Record<NotificationKind, { label: string; text: string }>,
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
