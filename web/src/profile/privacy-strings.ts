import { type ClientConfig } from '@hither/contract/config.ts'

/** Each sentence describes what the code does. Change both together. */
export const privacyStrings = {
  title: 'Privacy Policy',
  lastUpdated: 'Last updated August 17, 2025',
  summary:
    'Hither shows your place to the people you choose, for the time you choose, and forgets it afterwards. Here is exactly what it holds.',
  sections: [
    {
      heading: 'Who is responsible',
      text: [
        'Hither is software that anybody can run. The person or organisation who runs this server decides over what is stored on it and answers your questions about it. This policy is governed by the laws of Oregon, United States.',
      ],
    },
    {
      heading: 'Where you are',
      text: [
        'Your position never reaches the server, except as the place of a pin that you drop. Your device shows it to you on the map and keeps it to itself; there is no tracking in the background and no history of where you have been.',
        'While you make a pin, its place is sent to the server before you drop it only if you press "Find address". A place search sends what you type and the middle of the map, rounded to about ten kilometers.',
        'A pin is seen by the friends you send it to. If you make it public, anybody with its link sees its name, its place and your username until it expires.',
      ],
    },
    {
      heading: 'What is held',
      text: [
        'Your account: email address, username, password (only as a hash that cannot be turned back), profile picture and settings.',
        'Your friendships, friend requests and the people you have blocked.',
        'Your pins with their place, message, picture and the answers to them, and the messages you send.',
        'One entry for each device you are signed in on, with its kind, such as "Firefox on Windows", and when it was last used. A random number that your browser made, as a hash, so that somebody who guesses at your password does not keep you out; it is erased half a year after you last signed in with it. Whether you are online is told to your friends while you are, and not recorded.',
        'What you have reported to those who run this server, and whether they have suspended your account.',
        'Pictures are stored without the data that cameras hide in them, such as the place where they were taken. The originals are not kept.',
      ],
    },
    {
      heading: 'How long',
      text: [
        'An expired pin is erased 30 days after it expired, with its picture and its answers, unless whoever runs this server has chosen another time. You can delete a pin yourself at any moment; it is then gone at once.',
        'What somebody has reported is kept for those who run this server as it was then, even if you delete it: until 30 days after they have dealt with it, or half a year where they do not. It goes with your account.',
        'Everything else is held until you delete it, or your account.',
      ],
    },
    {
      heading: 'Deleting and taking along',
      text: [
        'Under Account & security you can download everything that is held about you, and delete your account. Deleting erases your profile, pins, pictures, answers, friendships and sign-ins. Messages that you wrote in chats with others stay there, as from "Deleted user".',
        'Backups that whoever runs this server has made still hold what you deleted until they are deleted themselves: after 14 days, unless another time was chosen.',
      ],
    },
    {
      heading: 'On your device',
      text: [
        'Hither keeps your sign-in, a few settings and what it last showed you in the storage of your browser, so that it opens without network. Signing out removes all of it but the settings and the random number mentioned above. There are no cookies.',
      ],
    },
    {
      heading: 'Children',
      text: ['Hither is not for children under 13.'],
    },
  ],
  othersHeading: 'Who else learns of it',
} as const

/**
 * What leaves for third parties under the settings of this server, one sentence per receiver. `config` is undefined while
 * it is unknown.
 */
export function othersText(config: ClientConfig | undefined): string[] {
  const none = 'There is no advertising and no analytics.'
  const push =
    'If you turn on notifications, they pass through the service that the maker of your browser runs for that. Their text is encrypted for your device: the service learns that there is something for it, and when.'
  if (config === undefined) return [none, push]
  const { map, geocoder, directions_url, google_client_id, features } = config
  return [
    none,
    geocoder
      ? 'Addresses: this server asks an address service for you. The service receives the place when you press "Find address", and what you type into a place search with the middle of the map, rounded to about ten kilometers. It does not learn who asks.'
      : 'Addresses: this server asks no address service. Addresses and searches are answered from its own list of towns.',
    mapText(map),
    `Directions: when you ask for directions, the place of that pin is sent to ${hostOf(directions_url)}, in a new tab.`,
    google_client_id === null
      ? 'Sign-in: this server uses no other sign-in service.'
      : 'Sign-in: the sign-in page loads the Google button, so Google learns that your device opened it, and who you are if you use the button.',
    features.password_reset
      ? 'Mail: a mail server receives your email address and the mails that this server sends you.'
      : 'Mail: this server sends no mail.',
    push,
  ]
}

function mapText({ online, online_streets, satellite }: ClientConfig['map']): string {
  const urls = [...(online_streets === null ? [] : [online_streets]), ...satellite].map(({ url }) => url)
  const hosts = [...new Set(urls.map(hostOf))]
  return online && hosts.length > 0
    ? `Maps: your device loads maps from ${hosts.join(', ')}. These services learn its network address and the part of the map that you look at, which is around you after you center the map on your position.`
    : 'Maps: your device loads maps from this server only.'
}

/** Placeholders such as `{z}` are no part of a host. */
function hostOf(url: string): string {
  return new URL(url.replaceAll(/[{}]/g, '')).host
}
