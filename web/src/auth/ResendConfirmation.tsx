import Alert from '@mui/material/Alert'
import { useEffect } from 'react'
import { t } from '../i18n/translate.ts'
import { ErrorAlert } from '../ui/ErrorAlert.tsx'
import { LoadingButton } from '../ui/LoadingButton.tsx'
import { useResendConfirmation } from './auth.api.ts'

const noticeMs = 5000

export function ResendConfirmation({ email }: { email: string }) {
  const resend = useResendConfirmation()
  const { isSuccess, submittedAt, reset } = resend

  // biome-ignore lint/correctness/useExhaustiveDependencies: each email has its own five seconds
  useEffect(() => {
    if (!isSuccess) return
    const timer = setTimeout(reset, noticeMs)
    return () => clearTimeout(timer)
  }, [isSuccess, submittedAt, reset])

  return (
    <>
      <LoadingButton variant="outlined" size="large" isWorking={resend.isPending} onClick={() => resend.mutate(email)}>
        {t('auth.resend')}
      </LoadingButton>
      {isSuccess && (
        <Alert severity="success" role="status">
          {t('auth.resent')}
        </Alert>
      )}
      {resend.isError && <ErrorAlert message={t('auth.resendFailed')} />}
    </>
  )
}
