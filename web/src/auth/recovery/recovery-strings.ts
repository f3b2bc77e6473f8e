export const recoveryStrings = {
  line: 'Enter your email and one of your recovery codes.',
  code: 'Recovery code',
  codeInvalid: 'A recovery code has 16 letters and numbers.',
  continue: 'Continue',
  noCode: 'No recovery code? Ask an admin of this server for a reset link.',
  useCode: 'Use a recovery code instead',
  useEmail: 'Send me a link instead',
  failed: 'Failed to check the code. Please try again.',
} as const
