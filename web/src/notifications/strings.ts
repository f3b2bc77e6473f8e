import { type NotificationKind, notificationTexts } from '@hither/contract/runtime/notifications.ts'
import { pingTexts } from '@hither/contract/runtime/pings.ts'
import type { PushState } from './push/push-state.ts'

export const cardStrings = {
  ...notificationTexts,
  title: 'Notifications',
  device: 'On this device',
  states: {
    checking: '',
    native: "This app can't receive notifications yet. Use Hither in a browser to get them.",
    install:
      'On iPhone and iPad, add Hither to the Home Screen first: tap Share, then "Add to Home Screen", and open it from there.',
    unsupported: "This browser doesn't support notifications.",
    unavailable: "This server doesn't send notifications.",
    denied:
      "Your browser blocks notifications. Open this site's settings from the icon next to the address, and allow notifications.",
    off: 'Get notified when friends drop a pin, respond or message you, even when Hither is closed.',
    on: "You'll be notified even when Hither is closed.",
  } satisfies Record<PushState, string>,
  turnOn: 'Turn on',
  turnOnName: 'Turn on notifications',
  turnOff: 'Turn off',
  turnOffName: 'Turn off notifications',
  turnedOn: 'Notifications are on',
  turnedOff: 'Notifications are off',
  pushUnavailable: "Your browser's push service can't be reached. Please try again later.",
  settings: 'Notification settings',
  settingsText: 'On all your devices: what to notify you about, when, and in how much detail',
  choose: 'Choose',
  chooseName: 'Choose your notifications',
  test: 'Try it out',
  testText: 'See what a notification looks like on this device',
  sendTest: 'Send me a test',
  testSent: 'Your test notification will arrive in a moment',
} as const

export const settingsStrings = {
  title: 'Notifications',
  kinds: {
    new_ping: { label: 'New pings', text: 'A friend drops a pin for you' },
    ping_activated: { label: 'Scheduled pings', text: 'A scheduled ping starts, yours or one you are invited to' },
    ping_changed: { label: 'Changes to pins', text: 'Time or place changes, or a pin is canceled' },
    ping_reminder: { label: 'Reminders', text: '15 minutes before a scheduled pin starts' },
    ping_response: { label: 'Responses', text: 'Someone responds to your ping' },
    ping_trip: { label: 'On the way', text: 'Someone is on the way to your pin, or has arrived' },
    message: { label: 'Messages', text: 'New messages. Mute a chat from its menu.' },
    message_reaction: { label: 'Reactions', text: 'Someone reacts to your message' },
    friend_request: { label: 'Friend requests', text: 'Someone wants to be your friend' },
  } satisfies Record<NotificationKind, { label: string; text: string }>,
  quiet: 'Quiet hours',
  quietText: "No notifications during these hours. Missed ones aren't sent later.",
  from: 'From',
  to: 'To',
  zone: (name: string) => `Your time zone: ${name}`,
  hide: 'Hide details on the lock screen',
  hideText: 'Hide names and message text',
  close: 'Close',
} as const

export const suggestionStrings = {
  text: 'Get notified when friends respond, even when Hither is closed?',
  later: 'Not now',
  turnOn: 'Turn on',
} as const

export const muteStrings = {
  mute: 'Mute',
  unmute: 'Unmute',
  muted: 'Muted',
  title: 'Mute this chat?',
  text: "You won't get notifications from this chat. Nobody else can see this.",
  choices: { 1: '1 hour', 8: '8 hours', 168: '1 week' },
  forGood: 'Until I turn it back on',
  cancel: 'Cancel',
  mutedUntil: (time: string) => `Muted until ${time}`,
  mutedForGood: 'Muted until you turn it back on',
  unmuted: 'No longer muted',
  failed: notificationTexts.muteFailed,
} as const

export const eventStrings = {
  leaveTitle: 'Discard what you are writing?',
  leaveText: 'Your text will be lost.',
  leave: 'Leave',
  answered: 'Your response was sent',
  responseFailed: pingTexts.respondFailed,
} as const
