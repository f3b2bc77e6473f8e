import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import DialogContentText from '@mui/material/DialogContentText'
import DialogTitle from '@mui/material/DialogTitle'
import { useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import { useForm } from 'react-hook-form'
import { useNavigate } from 'react-router'
import { messageOf } from '../../../api/api-error.ts'
import { PasswordField } from '../../../auth/PasswordField.tsx'
import { t } from '../../../i18n/translate.ts'
import type { LoginState } from '../../../session/login-state.ts'
import { useSession } from '../../../session/session.ts'
import { useSignOut } from '../../../sign-out/use-sign-out.tsx'
import { LoadingButton } from '../../../ui/LoadingButton.tsx'
import { Dialog } from '../../../ui/overlays/Dialog.tsx'
import { signInMethodsQuery } from '../../profile.api.ts'

interface Props {
  open: boolean
  /** Rejects if the password is wrong. */
  onSubmit: (password: string) => Promise<void>
  onClose: () => void
}

/** Asks for the password, or for a new sign-in if the account has none. */
export function RecentSignInDialog({ open, onSubmit, onClose }: Props) {
  const id = useId()
  const hasPassword = useQuery(signInMethodsQuery()).data?.password ?? true
  return (
    <Dialog open={open} onClose={onClose} maxWidth="xs" fullWidth aria-labelledby={id}>
      {hasPassword ? (
        <PasswordForm titleId={id} onSubmit={onSubmit} onClose={onClose} />
      ) : (
        <SignInAgain titleId={id} onClose={onClose} />
      )}
    </Dialog>
  )
}

/** Unmounted when the dialog closes, so that the password is discarded. */
function PasswordForm({ titleId, onSubmit, onClose }: Omit<Props, 'open'> & { titleId: string }) {
  const { user } = useSession()
  const { register, handleSubmit, setError, formState } = useForm({ defaultValues: { password: '' } })
  const { errors, isSubmitting } = formState

  const submit = handleSubmit(async ({ password }) => {
    try {
      await onSubmit(password)
    } catch (error) {
      setError('password', { message: messageOf(error, t('profile.signIn.failed')) }, { shouldFocus: true })
    }
  })

  return (
    <Box component="form" noValidate onSubmit={submit} sx={{ display: 'contents' }}>
      <DialogTitle id={titleId}>{t('profile.signIn.enterPassword')}</DialogTitle>
      <DialogContent>
        {/* Password managers need the account name of the password. */}
        <input type="email" autoComplete="username" value={user?.email ?? ''} readOnly hidden />
        <Box sx={{ pt: 1 }}>
          <PasswordField
            label={t('profile.signIn.password')}
            autoComplete="current-password"
            autoFocus
            registration={register('password', {
              validate: (value) => value !== '' || t('profile.signIn.passwordRequired'),
            })}
            error={errors.password?.message}
          />
        </Box>
      </DialogContent>
      <DialogActions>
        <Button onClick={onClose}>{t('ui.cancel')}</Button>
        <LoadingButton type="submit" variant="contained" isWorking={isSubmitting}>
          {t('profile.signIn.continue')}
        </LoadingButton>
      </DialogActions>
    </Box>
  )
}

function SignInAgain({ titleId, onClose }: { titleId: string; onClose: () => void }) {
  const navigate = useNavigate()
  const { signOut, question } = useSignOut(() => {
    const state: LoginState = { from: '/profile' }
    void navigate('/login', { replace: true, state })
  })

  return (
    <>
      <DialogTitle id={titleId}>{t('errors.recent_sign_in_required')}</DialogTitle>
      <DialogContent>
        <DialogContentText>{t('profile.signIn.signInAgainNote')}</DialogContentText>
      </DialogContent>
      <DialogActions>
        <Button onClick={onClose}>{t('ui.cancel')}</Button>
        <Button variant="contained" autoFocus onClick={signOut}>
          {t('profile.signIn.signInAgain')}
        </Button>
      </DialogActions>
      {question}
    </>
  )
}
