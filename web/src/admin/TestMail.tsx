import Alert from '@mui/material/Alert'
import Box from '@mui/material/Box'
import { messageOf } from '../api/api-error.ts'
import { LoadingButton } from '../ui/LoadingButton.tsx'
import { useSendTestMail } from './diagnostics.api.ts'
import { diagnosticsStrings as strings } from './strings.ts'

/** To the admin's own address, and what the mail server said to it. */
export function TestMail() {
  const { mutate, data, isPending, isError, error } = useSendTestMail()
  return (
    <Box sx={{ mt: 1 }}>
      <LoadingButton variant="outlined" size="small" isWorking={isPending} onClick={() => mutate()}>
        {strings.sendMail}
      </LoadingButton>
      {isError && (
        <Alert severity="error" sx={{ mt: 1 }}>
          {messageOf(error, strings.mailFailed)}
        </Alert>
      )}
      {data && !isPending && (
        <Alert severity={data.state === 'ok' ? 'success' : 'error'} sx={{ mt: 1, overflowWrap: 'anywhere' }}>
          {data.text}
        </Alert>
      )}
    </Box>
  )
}
