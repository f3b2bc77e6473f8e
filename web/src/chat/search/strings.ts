export const searchStrings = {
  field: 'Search messages',
  inChat: 'Search in chat',
  clear: 'Clear the search',
  close: 'Close',
  results: 'Found messages',
  searching: 'Searching…',
  none: 'No messages found',
  failed: 'Search failed. Try again.',
  offline: 'Connect to the internet to search messages.',
  retry: 'Retry',
  more: 'Show more',
  you: 'You',
  count: (count: number, hasMore: boolean) =>
    hasMore ? `More than ${count} messages found` : count === 1 ? '1 message found' : `${count} messages found`,
} as const
