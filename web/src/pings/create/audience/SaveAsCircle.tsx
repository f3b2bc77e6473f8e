import type { UserId } from '@hither/contract/ids.ts'
import Button from '@mui/material/Button'
import { useState } from 'react'
import { t } from '../../../i18n/translate.ts'
import { lazyComponent } from '../../../ui/lazy.tsx'

const CircleDialog = lazyComponent(async () => (await import('../../../circles/CircleDialog.tsx')).CircleDialog)

/** Offers to save people who were selected by hand as a circle. */
export function SaveAsCircle({ memberIds }: { memberIds: readonly UserId[] }) {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <>
      {memberIds.length >= 2 && (
        <Button onClick={() => setIsOpen(true)} sx={{ justifySelf: 'start', marginInlineStart: -2.5 }}>
          {t('pings.create.saveAsCircle')}
        </Button>
      )}
      <CircleDialog open={isOpen} circle={null} memberIds={memberIds} onClose={() => setIsOpen(false)} />
    </>
  )
}
