import Box from '@mui/material/Box'
import Card from '@mui/material/Card'
import Skeleton from '@mui/material/Skeleton'
import Stack from '@mui/material/Stack'
import Typography from '@mui/material/Typography'
import { useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import { messageOf } from '../../api/api-error.ts'
import { serverOrigin } from '../../api/base-address.ts'
import { t } from '../../i18n/translate.ts'
import { isNative } from '../../platform/is-native.ts'
import { useLiveStatus } from '../../realtime/live-status.ts'
import { ErrorAlert } from '../../ui/ErrorAlert.tsx'
import { LoadingButton } from '../../ui/LoadingButton.tsx'
import { CheckRow } from './CheckRow.tsx'
import { type Diagnosis, diagnosticsQuery, roundTripQuery } from './diagnostics.api.ts'
import { judgeAddressBar, judgeDeviceClock, judgeLive } from './page-checks.rules.ts'
import { TestMail } from './TestMail.tsx'

/** Shows whether each part of the server works, and the connection to it. */
export function Diagnostics() {
  const diagnosis = useQuery(diagnosticsQuery())
  const id = useId()
  const status = useLiveStatus()
  const roundTrip = useQuery({ ...roundTripQuery(), enabled: status === 'live' })
  const isChecking = diagnosis.isFetching || roundTrip.isFetching
  const { data, isError, error } = diagnosis
  const pageChecks = data ? [judgeLive(status, roundTrip.data), ...pageChecksOf(data)] : []

  function handleAgain() {
    void diagnosis.refetch()
    if (status === 'live') void roundTrip.refetch()
  }

  return (
    <Box component="section" aria-labelledby={id}>
      <Stack direction="row" sx={{ alignItems: 'center', justifyContent: 'space-between', gap: 2, mb: 1.5 }}>
        <Typography id={id} component="h2" variant="h6">
          {t('admin.diagnostics.title')}
        </Typography>
        {data && (
          <LoadingButton variant="outlined" size="small" isWorking={isChecking} onClick={handleAgain}>
            {t('admin.diagnostics.again')}
          </LoadingButton>
        )}
      </Stack>
      {isError && (
        <Box sx={{ mb: 2 }}>
          <ErrorAlert
            message={messageOf(error, t('admin.diagnostics.failed'))}
            onRetry={handleAgain}
            isRetrying={diagnosis.isFetching}
          />
        </Box>
      )}
      {!data && !isError && <Skeleton variant="rounded" height={640} aria-label={t('admin.diagnostics.checking')} />}
      {data && (
        <>
          <Typography role="status" sx={{ mb: 1.5 }}>
            {isChecking ? t('admin.diagnostics.checking') : summaryOf([...pageChecks, ...data.checks])}
          </Typography>
          <Card component="ul" aria-labelledby={id} sx={{ m: 0, p: 0 }}>
            {pageChecks.map((check) => (
              <CheckRow key={check.id} check={check} />
            ))}
            {data.checks.map((check) => (
              <CheckRow key={check.id} check={check} lang="en">
                {check.id === 'mail' && check.state !== 'off' && <TestMail />}
              </CheckRow>
            ))}
          </Card>
        </>
      )}
    </Box>
  )
}

function pageChecksOf({ public_url, checked_at, sentAtMs, receivedAtMs }: Diagnosis) {
  // The origin of the packaged app is not that of the server.
  const origin = isNative() ? serverOrigin() : location.origin
  return [
    judgeAddressBar(public_url, origin, isSecureContext),
    judgeDeviceClock(sentAtMs, Date.parse(checked_at), receivedAtMs),
  ]
}

function summaryOf(checks: readonly { state: string | null }[]): string {
  const count = checks.filter(({ state }) => state === 'warning' || state === 'failed').length
  return count === 0 ? t('admin.diagnostics.allWell') : t('admin.diagnostics.toLookAt', { count })
}
