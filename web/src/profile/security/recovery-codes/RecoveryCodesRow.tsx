import { recoveryLimits } from '@hither/contract/runtime/auth/recovery.ts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { t } from '../../../i18n/translate.ts'
import { ConfirmDialog } from '../../../ui/ConfirmDialog.tsx'
import { ActionRow } from '../../../ui/settings/ActionRow.tsx'
import { RowButton } from '../../../ui/settings/RowButton.tsx'
import { recoveryCodesQuery } from './recovery-codes.api.ts'
import { useNewCodes } from './use-new-codes.tsx'

export function RecoveryCodesRow() {
  const { data: codes } = useQuery(recoveryCodesQuery())
  const { create, isCreating, dialogs } = useNewCodes()
  const [isAsking, setIsAsking] = useState(false)
  const hasCodes = (codes?.created_at ?? null) !== null
  const action = hasCodes ? t('profile.signIn.newCodes') : t('profile.signIn.createCodes')

  function handleConfirm() {
    setIsAsking(false)
    void create()
  }

  return (
    <>
      <ActionRow
        label={t('profile.signIn.recoveryCodes')}
        text={
          hasCodes
            ? t('profile.signIn.codesLeft', { left: codes?.remaining ?? 0, total: recoveryLimits.codes })
            : t('profile.signIn.noCodes')
        }
      >
        <RowButton
          name={action}
          label={action}
          isWorking={isCreating}
          onClick={() => (hasCodes ? setIsAsking(true) : void create())}
        />
      </ActionRow>
      <ConfirmDialog
        open={isAsking}
        title={t('profile.signIn.newCodesTitle')}
        text={t('profile.signIn.newCodesText')}
        confirmLabel={t('profile.signIn.newCodes')}
        onConfirm={handleConfirm}
        onClose={() => setIsAsking(false)}
      />
      {dialogs}
    </>
  )
}
