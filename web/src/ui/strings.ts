export const uiStrings = {
  retry: 'Retry',
  cancel: 'Cancel',
  close: 'Close',
  loading: 'Loading…',
} as const
