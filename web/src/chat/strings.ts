export const chatStrings = {
  title: 'Messages',
  empty: 'No conversations yet. Start chatting with your friends!',
  toFriends: 'Go to Friends',
} as const
