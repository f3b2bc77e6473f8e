import { authTexts } from '@hither/contract/auth.ts'

export const sessionTexts = {
  signInFailed: 'Sign in failed',
  signUpFailed: 'Sign up failed',
  signOutFailed: 'Sign out failed',
  refreshFailed: 'Session refresh failed',
} as const

export const authStrings = {
  ...authTexts,
  brand: 'Hither',
  line: 'Drop a pin. Friends come hither.',
  welcomeBack: 'Welcome Back',
  welcomeBackLine: 'Sign in to see where your friends are.',
  joinHither: 'Join Hither',
  joinLine: 'Share where you are, for as long as you like.',
  email: 'Email',
  username: 'Username',
  password: 'Password',
  confirmPassword: 'Confirm Password',
  passwordHelper: 'Must be at least 6 characters',
  showPassword: 'Show password',
  hidePassword: 'Hide password',
  signIn: 'Sign In',
  signUp: 'Sign Up',
  noAccount: "Don't have an account?",
  haveAccount: 'Already have an account?',
  age: 'For people aged 13 and over',
  loginFailed: 'Login failed',
  signupFailed: 'Signup failed',
  checkYourEmail: 'Check Your Email',
  goToSignIn: 'Go to Sign In',
  backToSignUp: 'Back to Sign Up',
  confirmationSentTo: 'We sent a confirmation link to',
  confirmationSteps:
    'Open it on this device to finish. The link works for 24 hours. Nothing there? Look in the spam folder.',
} as const
