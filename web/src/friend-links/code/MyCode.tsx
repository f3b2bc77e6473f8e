import LinkRounded from '@mui/icons-material/LinkRounded'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import CircularProgress from '@mui/material/CircularProgress'
import Stack from '@mui/material/Stack'
import Typography from '@mui/material/Typography'
import { visuallyHidden } from '@mui/utils'
import { t } from '../../i18n/translate.ts'
import { useSession } from '../../session/session.ts'
import { ErrorAlert } from '../../ui/ErrorAlert.tsx'
import { countdownText } from '../friend-link.rules.ts'
import { AddedYou } from './AddedYou.tsx'
import { QrCode } from './QrCode.tsx'
import { useMyCode } from './use-my-code.ts'

/** The QR code of the user. It is replaced shortly before it expires. */
export function MyCode({ onShareLink }: { onShareLink: () => void }) {
  const { user } = useSession()
  const { url, secondsLeft, isLoading, renewals, hasFailed, load } = useMyCode(user?.id ?? '')
  const username = user?.username ?? ''
  return (
    <Stack spacing={2} sx={{ alignItems: 'center', textAlign: 'center' }}>
      {code()}
      <span role="status" style={visuallyHidden}>
        {/* A new element for each renewal, because the same text is announced only once. */}
        {renewals > 0 && <span key={renewals}>{t('friend-links.code.newCodeReady')}</span>}
      </span>
      <AddedYou />
      <Button size="large" startIcon={<LinkRounded />} onClick={onShareLink}>
        {t('friend-links.code.shareInstead')}
      </Button>
    </Stack>
  )

  function code() {
    if (url === null && hasFailed)
      return (
        <Box sx={{ width: '100%', textAlign: 'start' }}>
          <ErrorAlert message={t('friend-links.code.codeFailed')} onRetry={load} isRetrying={isLoading} />
        </Box>
      )
    if (url === null)
      return (
        <Box sx={{ height: 280, display: 'grid', placeItems: 'center' }}>
          <CircularProgress aria-label={t('friend-links.code.loadingCode')} />
        </Box>
      )
    return (
      <>
        <QrCode text={url} name={t('friend-links.code.qrName', { name: username })} />
        <Typography variant="h3" component="p" sx={{ overflowWrap: 'anywhere' }}>
          {username}
        </Typography>
        <Box>
          <Typography color="textSecondary">{t('friend-links.code.scanThis')}</Typography>
          <Typography color="textSecondary" variant="body2" sx={{ fontVariantNumeric: 'tabular-nums', mt: 0.5 }}>
            {t('friend-links.code.newCodeIn', { clock: countdownText(secondsLeft) })}
          </Typography>
        </Box>
      </>
    )
  }
}
