import { exportFileName } from '@hither/contract/runtime/users.ts'
import { messageOf } from '../../api/api-error.ts'
import { t } from '../../i18n/translate.ts'
import { ActionRow } from '../../ui/settings/ActionRow.tsx'
import { RowButton } from '../../ui/settings/RowButton.tsx'
import { useSnackbar } from '../../ui/use-snackbar.ts'
import { useExportAccount } from '../profile.api.ts'
import { downloadFile } from './download-file.ts'
import { useRecentSignIn } from './recent-sign-in/use-recent-sign-in.tsx'

export function ExportRow() {
  const exporting = useExportAccount()
  const { run, question } = useRecentSignIn()
  const { showError, showNotice } = useSnackbar()

  async function handleExport() {
    try {
      const data = await run(exporting.mutateAsync)
      if (data === null) return
      const json = JSON.stringify(data, null, 2)
      downloadFile(new Blob([json], { type: 'application/json' }), exportFileName)
      showNotice(t('profile.security.exportDone'))
    } catch (error) {
      showError(messageOf(error, t('profile.security.exportFailed')))
    }
  }

  return (
    <ActionRow label={t('profile.security.exportData')} text={t('profile.security.exportText')}>
      <RowButton
        name={t('profile.security.exportData')}
        label={t('profile.security.exportAction')}
        isWorking={exporting.isPending}
        onClick={handleExport}
      />
      {question}
    </ActionRow>
  )
}
