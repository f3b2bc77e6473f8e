import { type NotificationKind, notificationTexts } from '@hither/contract/notifications.ts'
import { pingTexts } from '@hither/contract/pings.ts'
import { type PushState } from './push-state.ts'

export const cardStrings = {
  ...notificationTexts,
  title: 'Notifications',
  device: 'On this device',
  states: {
    checking: '',
    native: 'This app cannot be notified yet. Hither in a browser can.',
    install:
      'On iPhone and iPad, Hither has to be on the Home Screen for this: tap Share, then "Add to Home Screen", and open it from there.',
    unsupported: 'This browser cannot show notifications.',
    unavailable: 'This server sends no notifications.',
    denied:
      'Your browser blocks them. Open its settings for this site, by the icon beside the address, and allow notifications.',
    off: 'Know at once when friends drop a pin, answer you or write, also while Hither is closed.',
    on: 'You are told also while Hither is closed.',
  } satisfies Record<PushState, string>,
  turnOn: 'Turn on',
  turnOnName: 'Turn on notifications',
  turnOff: 'Turn off',
  turnOffName: 'Turn off notifications',
  turnedOn: 'Notifications are on',
  turnedOff: 'Notifications are off',
  pushUnavailable: "Your browser's push service cannot be reached. Please try again later.",
  settings: 'What you are told',
  settingsText: 'On all your devices: which news, when, and how much of it',
  choose: 'Choose',
  chooseName: 'Choose what you are told',
  test: 'Try it out',
  testText: 'See how it looks and sounds here',
  sendTest: 'Send me a test',
  testSent: 'It arrives in a moment',
} as const

export const settingsStrings = {
  title: 'What you are told',
  kinds: {
    new_ping: { label: 'New pings', text: 'A friend drops a pin for you' },
    ping_activated: { label: 'Scheduled pings', text: 'A scheduled ping begins, yours or one you are invited to' },
    ping_response: { label: 'Answers', text: 'Somebody answers your ping' },
    message: { label: 'Messages', text: 'Somebody writes to you. Single chats can be muted in their menu.' },
    friend_request: { label: 'Friend requests', text: 'Somebody wants to be your friend' },
  } satisfies Record<NotificationKind, { label: string; text: string }>,
  quiet: 'Quiet hours',
  quietText: 'Each day nothing is told then, nor afterwards',
  from: 'From',
  to: 'To',
  zone: (name: string) => `Your time zone: ${name}`,
  hide: 'Hide details on the lock screen',
  hideText: 'Only that there is something new, without names and texts',
  close: 'Close',
} as const

export const suggestionStrings = {
  text: 'Know when friends answer, also while Hither is closed?',
  later: 'Not now',
  turnOn: 'Turn on',
} as const

export const muteStrings = {
  mute: 'Mute',
  unmute: 'Unmute',
  muted: 'Muted',
  title: 'Mute this chat?',
  text: 'You get no notifications from it. Nobody else can tell.',
  choices: { 1: '1 hour', 8: '8 hours', 168: '1 week' },
  forGood: 'Until I turn it back on',
  cancel: 'Cancel',
  mutedUntil: (time: string) => `Muted until ${time}`,
  mutedForGood: 'Muted until you turn it back on',
  unmuted: 'No longer muted',
  failed: notificationTexts.muteFailed,
} as const

export const eventStrings = {
  leaveTitle: 'Leave what you are writing?',
  leaveText: 'It would be lost.',
  leave: 'Leave',
  answered: 'Your answer is sent',
  answerFailed: pingTexts.respondFailed,
} as const
