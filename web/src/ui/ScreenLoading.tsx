import Box from '@mui/material/Box'
import { keyframes } from '@mui/material/styles'
import { t } from '../i18n/translate.ts'
import { BrandMark } from './BrandMark.tsx'

const appear = keyframes({ from: { opacity: 0 }, to: { opacity: 1 } })

/** Shown while the code of a screen loads. It appears after a delay, so that a fast load does not flicker. */
export function ScreenLoading() {
  return (
    <Box
      role="status"
      aria-label={t('ui.loading')}
      sx={{
        minHeight: '100dvh',
        display: 'grid',
        placeItems: 'center',
        animation: `${appear} 200ms ease-out 250ms both`,
      }}
    >
      <BrandMark size={56} />
    </Box>
  )
}
