export const platformStrings = {
  serverHeading: 'Choose a server',
  serverLine: "Hither is self-hosted. Enter your server's address.",
  serverLabel: 'Server address',
  serverExample: 'hither.example.org',
  continue: 'Continue',
  badAddress: 'Enter an address such as hither.example.org. It must use https.',
  noServer: 'There is no Hither server at this address.',
  currentServer: 'Server:',
  changeServer: 'Change',
} as const
