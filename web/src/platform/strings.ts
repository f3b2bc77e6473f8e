export const platformStrings = {
  serverHeading: 'Choose a server',
  serverLine: 'Hither runs on servers of many people. Enter the address of yours.',
  serverLabel: 'Server address',
  serverExample: 'hither.example.org',
  continue: 'Continue',
  badAddress: 'Enter an address such as hither.example.org. It has to be reached by https.',
  noServer: 'There is no Hither server at this address.',
  currentServer: 'Server:',
  changeServer: 'Change',
} as const
