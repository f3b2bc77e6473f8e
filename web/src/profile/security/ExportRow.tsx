import { exportFileName } from '@hither/contract/runtime/users.ts'
import { messageOf } from '../../api/api-error.ts'
import { ActionRow } from '../../ui/settings/ActionRow.tsx'
import { RowButton } from '../../ui/settings/RowButton.tsx'
import { useSnackbar } from '../../ui/use-snackbar.ts'
import { useExportAccount } from '../profile.api.ts'
import { downloadFile } from './download-file.ts'
import { useRecentSignIn } from './recent-sign-in/use-recent-sign-in.tsx'
import { securityStrings as strings } from './security-strings.ts'

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
      showNotice(strings.exportDone)
    } catch (error) {
      showError(messageOf(error, strings.exportFailed))
    }
  }

  return (
    <ActionRow label={strings.exportData} text={strings.exportText}>
      <RowButton
        name={strings.exportData}
        label={strings.exportAction}
        isWorking={exporting.isPending}
        onClick={handleExport}
      />
      {question}
    </ActionRow>
  )
}
