import { useLinkToken } from './link-token.ts'
import { SetPassword } from './SetPassword.tsx'

/** The target of reset links: of those in emails, and of those that an admin or the operator of the server creates. */
export function ResetPasswordScreen() {
  const token = useLinkToken()
  return <SetPassword key={token} token={token} />
}
