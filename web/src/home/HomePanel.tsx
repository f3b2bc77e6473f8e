import Box from '@mui/material/Box'
import type { ReactNode } from 'react'
import { t } from '../i18n/translate.ts'

const widthPx = 400

/** The column with the lists next to the map on a wide screen. */
export function HomePanel({ children }: { children: ReactNode }) {
  return (
    <Box
      component="section"
      aria-label={t('home.listsLabel')}
      sx={{
        width: widthPx,
        flexShrink: 0,
        overflowY: 'auto',
        borderInlineEnd: '1px solid',
        borderColor: 'divider',
        bgcolor: 'background.paper',
      }}
    >
      {children}
    </Box>
  )
}
