import Alert from '@mui/material/Alert'
import Box from '@mui/material/Box'
import Stack from '@mui/material/Stack'
import Typography from '@mui/material/Typography'
import { useCallback, useState } from 'react'
import { t } from '../../i18n/translate.ts'
import { useOpenLink } from '../use-open-link.ts'
import { useScanner } from './use-scanner.ts'

/** The camera. It is mounted, and so the camera starts, only after the tab was opened by a tap. */
export function ScanTab({ onOpened }: { onOpened: () => void }) {
  const openLink = useOpenLink()
  const [problem, setProblem] = useState<string | null>(null)

  const handleText = useCallback(
    (text: string) => {
      const outcome = openLink(text)
      if (outcome === 'opened') onOpened()
      else setProblem(outcome?.problem ?? t('friend-links.scan.other'))
    },
    [openLink, onOpened],
  )
  const { videoRef, failure } = useScanner(handleText)

  if (failure !== null)
    return (
      <Alert severity="info">
        {failure === 'denied' ? t('friend-links.scan.denied') : t('friend-links.scan.noCamera')}
      </Alert>
    )
  return (
    <Stack spacing={2} sx={{ alignItems: 'center', textAlign: 'center' }}>
      <Box
        component="video"
        ref={videoRef}
        aria-label={t('friend-links.scan.video')}
        muted
        playsInline
        sx={{
          width: '100%',
          aspectRatio: '1',
          maxHeight: '50vh',
          objectFit: 'cover',
          bgcolor: '#000',
          borderRadius: 2,
        }}
      />
      <Typography color="textSecondary">{t('friend-links.scan.point')}</Typography>
      <Box role="status" sx={{ width: '100%', '&:empty': { display: 'none' } }}>
        {problem !== null && (
          <Alert severity="warning" role="presentation" sx={{ textAlign: 'start' }}>
            {problem}
          </Alert>
        )}
      </Box>
    </Stack>
  )
}
