import type { FriendLinkPreview } from '@hither/contract/friend-links.ts'
import Alert from '@mui/material/Alert'
import Button from '@mui/material/Button'
import Stack from '@mui/material/Stack'
import { Link } from 'react-router'
import { useLoginState } from '../session/login-state.ts'
import { AddLayout } from './AddLayout.tsx'
import { lineOf } from './friend-link.rules.ts'
import { addStrings as strings } from './strings.ts'

/** Sign-up and sign-in get the name of the creator only. The code stays in the storage of the tab. */
export function AddVisitor({ preview }: { preview: FriendLinkPreview }) {
  const state = useLoginState({ from: '/add', inviter: preview.username })
  return (
    <AddLayout heading={strings.add(preview.username)} line={lineOf(preview)}>
      <Stack spacing={1.5}>
        {preview.admits_signup ? (
          <Button component={Link} to="/signup" state={state} variant="contained" size="large">
            {strings.signUp}
          </Button>
        ) : (
          <Alert severity="info">{strings.noSignup}</Alert>
        )}
        <Button
          component={Link}
          to="/login"
          state={state}
          variant={preview.admits_signup ? 'outlined' : 'contained'}
          size="large"
        >
          {strings.logIn}
        </Button>
      </Stack>
    </AddLayout>
  )
}
