import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import DialogTitle from '@mui/material/DialogTitle'
import Stack from '@mui/material/Stack'
import Typography from '@mui/material/Typography'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { messageOf } from '../../api/api-error.ts'
import { GoogleProof } from '../../auth/google/GoogleProof.tsx'
import { PasswordField } from '../../auth/PasswordField.tsx'
import { t } from '../../i18n/translate.ts'
import type { IdentityProof } from '../../session/session.ts'
import { ErrorAlert } from '../../ui/ErrorAlert.tsx'
import { LoadingButton } from '../../ui/LoadingButton.tsx'
import { useSnackbar } from '../../ui/use-snackbar.ts'
import { signInMethodsQuery, useDeleteAccount } from '../profile.api.ts'
import { useRecentSignIn } from './recent-sign-in/use-recent-sign-in.tsx'

interface Props {
  id: string
  hasPassword: boolean
  onClose: () => void
}

export function DeleteAccountForm({ id, hasPassword, onClose }: Props) {
  const deletion = useDeleteAccount()
  const { showNotice } = useSnackbar()
  const { register, handleSubmit, setError, formState } = useForm({ defaultValues: { password: '' } })
  const [proof, setProof] = useState<IdentityProof | null>(null)
  const hasGoogle = useQuery(signInMethodsQuery()).data?.google ?? false
  const { run, question } = useRecentSignIn()
  const { errors } = formState

  const submit = handleSubmit(async ({ password }) => {
    if (deletion.isPending) return
    try {
      // `RequireSession` then redirects to /login.
      const isDeleted = await run(async () => {
        await deletion.mutateAsync(hasPassword ? { password } : { ...proof })
        return true
      })
      if (!isDeleted) return
      showNotice(t('profile.security.deleteDone'))
    } catch (error) {
      // The server accepts a token for ten minutes only.
      setProof(null)
      const message = messageOf(error, t('profile.security.deleteFailed'))
      if (message === t('errors.wrong_password')) setError('password', { message }, { shouldFocus: true })
      else setError('root', { message })
    }
  })

  return (
    <Box component="form" noValidate onSubmit={submit} sx={{ display: 'contents' }}>
      <DialogTitle id={`${id}-title`}>{t('profile.security.deleteTitle')}</DialogTitle>
      <DialogContent>
        <Box id={`${id}-text`}>
          <Typography>{t('profile.security.deleteText')}</Typography>
          <Box component="ul" sx={{ paddingInlineStart: 2.5, my: 1.5, color: 'text.secondary' }}>
            {([0, 1, 2, 3, 4] as const).map((index) => (
              <Typography key={index} component="li" sx={{ mb: 0.5 }}>
                {t(`profile.security.deleteConsequences.${index}`)}
              </Typography>
            ))}
          </Box>
        </Box>
        <Stack spacing={2} sx={{ mt: 2.5 }}>
          {errors.root?.message && <ErrorAlert message={errors.root.message} />}
          {!hasPassword && hasGoogle && <GoogleProof isProven={proof !== null} onProof={setProof} />}
          {hasPassword && (
            <PasswordField
              label={t('profile.security.deletePassword')}
              autoComplete="current-password"
              registration={register('password', {
                validate: (value) => value !== '' || t('profile.security.currentRequired'),
              })}
              error={errors.password?.message}
            />
          )}
        </Stack>
      </DialogContent>
      <DialogActions>
        <Button onClick={onClose} autoFocus={!hasPassword}>
          {t('ui.cancel')}
        </Button>
        <LoadingButton type="submit" variant="contained" color="error" isWorking={deletion.isPending}>
          {t('profile.security.deleteConfirm')}
        </LoadingButton>
      </DialogActions>
      {question}
    </Box>
  )
}
