import type { FriendLinkPreview } from '@hither/contract/friend-links.ts'
import Alert from '@mui/material/Alert'
import Button from '@mui/material/Button'
import Stack from '@mui/material/Stack'
import { Link } from 'react-router'
import { t } from '../i18n/translate.ts'
import { useLoginState } from '../session/login-state.ts'
import { AddLayout } from './AddLayout.tsx'
import { lineOf } from './friend-link.rules.ts'

/** Sign-up and sign-in get the name of the creator only. The code stays in the storage of the tab. */
export function AddVisitor({ preview }: { preview: FriendLinkPreview }) {
  const state = useLoginState({ from: '/add', inviter: preview.username })
  return (
    <AddLayout heading={t('friend-links.add.add', { name: preview.username })} line={lineOf(preview)}>
      <Stack spacing={1.5}>
        {preview.admits_signup ? (
          <Button component={Link} to="/signup" state={state} variant="contained" size="large">
            {t('friend-links.add.signUp')}
          </Button>
        ) : (
          <Alert severity="info">{t('friend-links.add.noSignup')}</Alert>
        )}
        <Button
          component={Link}
          to="/login"
          state={state}
          variant={preview.admits_signup ? 'outlined' : 'contained'}
          size="large"
        >
          {t('friend-links.add.logIn')}
        </Button>
      </Stack>
    </AddLayout>
  )
}
