export const uiStrings = {
  retry: 'Retry',
  cancel: 'Cancel',
  close: 'Close',
  showAll: 'Show all',
  loading: 'Loading…',
} as const

export const timeStrings = {
  midnight: 'midnight',
  hours: (count: number) => `${count} h`,
  minutes: (count: number) => `${count} min`,
  spokenHours: (count: number) => (count === 1 ? '1 hour' : `${count} hours`),
  spokenMinutes: (count: number) => (count === 1 ? '1 minute' : `${count} minutes`),
  remaining: (hours: number, minutes: number) => `${hours > 0 ? `${hours}h ` : ''}${minutes}m remaining`,
} as const
