import type { ClientConfig } from '@hither/contract/config.ts'

/** Each sentence describes what the code does. Change both together. */
export const privacyStrings = {
  title: 'Privacy Policy',
  lastUpdated: 'Last updated August 17, 2025',
  summary:
    'Hither shows your location to the people you choose, for the time you choose, and deletes it afterwards. This policy lists exactly what it stores.',
  sections: [
    {
      heading: 'Who is responsible',
      text: [
        'Hither is software that anyone can run. The person or organization that runs this server decides what is stored on it and answers your questions about it. This policy is governed by the laws of Oregon, United States.',
      ],
    },
    {
      heading: 'Your location',
      text: [
        'Your location never reaches the server, except as the place of a pin that you drop or of a place that you send in a chat. Your device shows it to you on the map and does not share it. There is no background tracking and no history of where you have been.',
        'If you share when you arrive, your device sends minutes, not where you are. They go when your trip ends.',
        'While you create a pin, its place is sent to the server before you drop it only if you press "Find address". If other people will see an area, the center of that area is sent to find its nearest town. A place search sends what you type and the center of the map, rounded to about ten kilometers.',
        'The friends you send a pin to can see it. If you make it public, anyone with its link can see its name, its place or the area that you chose to show instead, your username and your display name until it expires. If you let people respond with the link, those who respond can also read your message.',
      ],
    },
    {
      heading: 'What is stored',
      text: [
        'Your account: email address, username, display name, password (only as a hash that cannot be reversed), profile picture and settings.',
        'Your passkeys with their names and when they were last used; the device keeps their secret. Your recovery codes, only as hashes. The sign-in provider that you linked, with your email address there.',
        'Changes to how your account can be entered, such as a new password, with the type of the device. They are deleted after 90 days.',
        'Your friendships, friend requests and the people you have blocked.',
        'Circles are lists only you can see. Saved places stay on your device.',
        'Your pins with their place, message, picture and responses.',
        'The messages you send, with their photos, the places you send and your reactions. If you edit a message, its former text is not kept. Members of a chat can see all of this. What you search for is not recorded.',
        'Which chats you have pinned, archived or muted. Nobody else can see this.',
        'One entry for each device you are signed in on, with its type, such as "Firefox on Windows", and when it was last used. The hash of a random number that your browser created, so that someone who guesses your password cannot lock you out; it is deleted half a year after you last signed in with it. Your friends can see when you are online. This is not recorded.',
        'The friend links you created, with their label and who used them, but not the secret part of the link. The camera is used to scan codes only while you have the scanner open, and its pictures never leave your device.',
        'If you respond to a public pin without an account: the name you gave, your answer and a hash of the random number by which your device recognizes your response. The person who created the pin sees the name and the answer and, if they allow it, so do the friends they invited.',
        'What you have reported to the admins of this server, and whether they have suspended your account.',
        'Pictures are stored without the metadata that cameras add, such as the place where they were taken. The originals are not stored.',
      ],
    },
    {
      heading: 'How long',
      text: [
        'An expired pin is deleted 30 days after it expired, with its picture and its responses, unless the operator of this server has chosen another time. You can delete a pin yourself at any time; it is then deleted right away.',
        'Responses of people who were not invited to a pin are deleted 24 hours after it ends, with or without an account.',
        'A photo that you chose and did not send is deleted after 24 hours. If you delete a message, its photo, its place and the reactions to it are deleted with it.',
        'A friend link is deleted 30 days after it expired or you revoked it, with the list of who used it.',
        'If someone reports your content, a copy of it is stored for the admins of this server, even if you delete the content: until 30 days after they have handled the report, or half a year if they do not. It is deleted with your account.',
        'Everything else is stored until you delete it, or your account.',
      ],
    },
    {
      heading: 'Deleting and exporting',
      text: [
        'Under Account & security you can download all data stored about you, and delete your account. This deletes your profile, pins, pictures, responses, friendships and sessions. Your reactions and the photos you sent in chats are deleted too. Messages that you wrote in chats with others stay there, with the places you sent, shown as from "Deleted user".',
        'Backups of this server still contain what you deleted until they are deleted themselves: after 14 days, unless the operator has chosen another time.',
      ],
    },
    {
      heading: 'On your device',
      text: [
        'Hither stores your session, a few settings and the data it last showed you in your browser, so that it opens without a network. Signing out removes all of it except the settings, the responses you gave without an account and the random numbers mentioned above. There are no cookies.',
        'While you sign in with a provider, your browser stores a random number and where to return, for ten minutes. It also remembers whom it has offered a passkey to.',
        'If you respond to a public pin without an account, your browser also stores the name you typed and the secret with which you can change your response. The secret is deleted when you remove the response or move it to an account, otherwise 24 hours after the pin ended, or when you next open Hither after that.',
      ],
    },
    {
      heading: 'Children',
      text: ['Hither is not for children under 13.'],
    },
  ],
  othersHeading: 'Who else receives data',
} as const

/**
 * What leaves for third parties under the settings of this server, one sentence per receiver. `config` is undefined while
 * it is unknown.
 */
export function othersText(config: ClientConfig | undefined): string[] {
  const none = 'There is no advertising and no analytics.'
  const push =
    "If you turn on notifications, they pass through the push service of your browser's maker. Their text is encrypted for your device: the service learns only that there is a notification, and when."
  if (config === undefined) return [none, push]
  const { map, geocoder, directions_url, features } = config
  return [
    none,
    geocoder
      ? 'Addresses: this server uses an address service. The service receives the place when you press "Find address", and what you type into a place search with the center of the map, rounded to about ten kilometers. It does not learn who you are.'
      : 'Addresses: this server uses no address service. Addresses and searches use its own list of towns.',
    mapText(map),
    `Directions: when you ask for directions, the place of that pin is sent to ${hostOf(directions_url)}, in a new tab.`,
    ...signInTexts(config),
    features.password_reset
      ? 'Email: a mail server receives your email address and the emails that this server sends you.'
      : 'Email: this server sends no email.',
    push,
  ]
}

function signInTexts({ google_client_id, oidc = null }: ClientConfig): string[] {
  const google =
    'Sign-in: the sign-in page loads the Google button, so Google learns that your device opened it, and who you are if you use the button.'
  const texts = google_client_id === null ? [] : [google]
  if (oidc !== null)
    texts.push(
      `Sign-in with ${oidc.name}: if you use its button, it learns that you sign in here, and tells this server your name there and your email address.`,
    )
  return texts.length > 0 ? texts : ['Sign-in: this server uses no other sign-in service.']
}

function mapText({ online, online_streets, satellite }: ClientConfig['map']): string {
  const urls = [...(online_streets === null ? [] : [online_streets]), ...satellite].map(({ url }) => url)
  const hosts = [...new Set(urls.map(hostOf))]
  return online && hosts.length > 0
    ? `Maps: your device loads maps from ${hosts.join(', ')}. These services learn its network address and the part of the map that you look at, which is around you once you have allowed the use of your location.`
    : 'Maps: your device loads maps from this server only.'
}

/** Placeholders such as `{z}` are not part of a host. */
function hostOf(url: string): string {
  return new URL(url.replaceAll(/[{}]/g, '')).host
}
