import Alert from '@mui/material/Alert'
import Box from '@mui/material/Box'
import { messageOf } from '../../api/api-error.ts'
import { langOf } from '../../api/server-texts.ts'
import { t } from '../../i18n/translate.ts'
import { LoadingButton } from '../../ui/LoadingButton.tsx'
import { useSendTestMail } from './diagnostics.api.ts'

/** Sends a test email to the admin's own address, and shows the response of the mail server. */
export function TestMail() {
  const { mutate, data, isPending, isError, error } = useSendTestMail()
  const failure = messageOf(error, t('admin.diagnostics.mailFailed'))
  return (
    <Box sx={{ mt: 1 }}>
      <LoadingButton variant="outlined" size="small" isWorking={isPending} onClick={() => mutate()}>
        {t('admin.diagnostics.sendMail')}
      </LoadingButton>
      {isError && (
        <Alert severity="error" lang={langOf(failure)} sx={{ mt: 1 }}>
          {failure}
        </Alert>
      )}
      {data && !isPending && (
        <Alert severity={data.state === 'ok' ? 'success' : 'error'} lang="en" sx={{ mt: 1, overflowWrap: 'anywhere' }}>
          {data.text}
        </Alert>
      )}
    </Box>
  )
}
