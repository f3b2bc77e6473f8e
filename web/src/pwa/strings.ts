export const pwaStrings = {
  updateReady: 'A new version of Hither is ready.',
  update: 'Update',
  later: 'Later',
} as const
