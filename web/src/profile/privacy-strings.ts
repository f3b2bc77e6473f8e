/** Each sentence is something that the code does; whoever changes the one changes the other. */
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
        'Copies that whoever runs this server has made for emergencies may live on for a while.',
      ],
    },
    {
      heading: 'Who else learns of it',
      text: [
        'There is no advertising and no analytics. Whoever runs this server decides whether it uses an online map, a search for addresses, a mail server or sign-in with Google; these then learn what they need for that, such as the part of the map you look at.',
        'If you turn on notifications, they pass through the service that the maker of your browser runs for that. What they say is encrypted for your device: the service learns that there is something for it, and when.',
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
} as const
