import CloseRounded from '@mui/icons-material/CloseRounded'
import Box from '@mui/material/Box'
import IconButton from '@mui/material/IconButton'
import Tab from '@mui/material/Tab'
import Tabs from '@mui/material/Tabs'
import { useId, useState } from 'react'
import { t } from '../../i18n/translate.ts'
import { BottomSheet } from '../../ui/BottomSheet.tsx'
import { MyCode } from './MyCode.tsx'
import { ScanTab } from './ScanTab.tsx'

interface Props {
  open: boolean
  onShareLink: () => void
  onClose: () => void
}

export function CodeSheet({ open, onShareLink, onClose }: Props) {
  return (
    <BottomSheet open={open} label={t('friend-links.code.myCode')} onClose={onClose}>
      <SheetTabs onShareLink={onShareLink} onClose={onClose} />
    </BottomSheet>
  )
}

/** Unmounted with the sheet, which then uses no camera and no timer. */
function SheetTabs({ onShareLink, onClose }: Omit<Props, 'open'>) {
  const id = useId()
  const [tab, setTab] = useState<'code' | 'scan'>('code')
  const idsOf = (name: string) => ({ id: `${id}-${name}-tab`, 'aria-controls': `${id}-${name}` })
  return (
    <>
      <Box
        sx={{ display: 'flex', alignItems: 'center', gap: 1, paddingInlineStart: 2, paddingInlineEnd: 1.5, pt: 1.5 }}
      >
        <Tabs
          value={tab}
          onChange={(_event, name: 'code' | 'scan') => setTab(name)}
          variant="fullWidth"
          aria-label={t('friend-links.code.myCode')}
          sx={{ flex: 1 }}
        >
          <Tab value="code" label={t('friend-links.code.myCode')} {...idsOf('code')} />
          <Tab value="scan" label={t('friend-links.code.scan')} {...idsOf('scan')} />
        </Tabs>
        <IconButton title={t('ui.close')} onClick={onClose}>
          <CloseRounded />
        </IconButton>
      </Box>
      <Box
        role="tabpanel"
        id={`${id}-${tab}`}
        aria-labelledby={`${id}-${tab}-tab`}
        sx={{ px: 3, pt: 3, pb: 3, overflowY: 'auto', minHeight: { xs: 470, sm: 0 } }}
      >
        {tab === 'code' ? <MyCode onShareLink={onShareLink} /> : <ScanTab onOpened={onClose} />}
      </Box>
    </>
  )
}
