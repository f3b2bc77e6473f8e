import FlagOutlined from '@mui/icons-material/FlagOutlined'
import Button from '@mui/material/Button'
import { useState } from 'react'
import { t } from '../i18n/translate.ts'
import { ReportDialog } from './ReportDialog.tsx'
import { headingOf, type ReportTarget } from './report-target.ts'

/** A small button below content that can be reported. */
export function ReportButton({ target }: { target: ReportTarget }) {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <>
      <Button
        color="inherit"
        size="small"
        startIcon={<FlagOutlined />}
        aria-label={headingOf(target)}
        onClick={() => setIsOpen(true)}
        sx={{ minHeight: 44, color: 'text.secondary' }}
      >
        {t('moderation.report.report')}
      </Button>
      <ReportDialog open={isOpen} target={target} onClose={() => setIsOpen(false)} />
    </>
  )
}
